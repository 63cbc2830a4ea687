"""Index-code information, total correlation, dimension-wise term and likelihood of a model."""

from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from latents.batches import PackedImages
from latents.decomposition import decompose
from latents.encoding import encode_rows, reconstruction_of_rows
from latents.images import read_images
from latents.model_file import read_model
from latents.step import run
from latents.tables import write_table
from latents.training import choose_device, fix_rounding


def decompose_elbo(
    *,
    images: Path,
    model: Path,
    decomposition: Path,
    dataset: str,
    strength: float,
    seed: int,
    cell: str,
    subset: int,
    samples: int,
    images_seed: int,
    noise_seed: int,
    threads: int,
    device: str,
) -> None:
    """One row, in nats per image; `images` says over how many of the dataset's it was taken."""
    fix_rounding(threads)
    chosen = choose_device(device)
    data = import_module(f"latents.datasets.{dataset}")
    vae, prior, _ = read_model(model, data.IMAGE_SHAPE, chosen)
    bits, source = read_images(images)
    packed = PackedImages(bits, data.IMAGE_SHAPE, chosen)
    # Without replacement and shuffled: the first images of a dataset are all alike.
    shuffled = np.random.RandomState(images_seed).permutation(data.GRID.images)[:subset]
    mean, logvar = encode_rows(vae, packed, torch.from_numpy(shuffled))
    generator = torch.Generator(chosen).manual_seed(noise_seed)
    terms = decompose(mean, logvar, prior, samples=samples, generator=generator)
    rows = torch.from_numpy(shuffled[:samples])
    told = {"cell": cell, "strength": strength, "seed": seed, "source": source}
    row = {**told, "images": len(shuffled), "samples": samples, **asdict(terms)}
    row["log_likelihood"] = reconstruction_of_rows(vae, packed, rows, generator)
    write_table(decomposition, pd.DataFrame([row]))


if __name__ == "__main__":
    run(decompose_elbo)
