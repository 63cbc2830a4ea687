"""Decompose the ELBO of one model: information, total correlation, dimension-wise, likelihood."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from latents.data.batches import open_source
from latents.encoding.elbo_decomposition import decompose
from latents.encoding.representations import encode_rows, reconstruction_of_rows
from latents.evaluation.tables import write_table
from latents.models.determinism import choose_device, fix_rounding
from latents.models.trained_model import read_model
from latents.runtime.step import run


def decompose_elbo(
    *,
    images: Path,
    background: Path | None,
    model: Path,
    decomposition: Path,
    variation: str | None,
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
    """Write one row in nats per image; `images` is the number of images it was computed from."""
    fix_rounding(threads)
    chosen = choose_device(device)
    data = open_source(images, chosen, variation=variation, background=background)
    trained = read_model(model, data)
    # Without replacement and shuffled: the first images of a dataset are all alike.
    shuffled = np.random.RandomState(images_seed).permutation(data.factors.images)[:subset]
    rows = torch.from_numpy(shuffled)
    generator = torch.Generator(chosen).manual_seed(noise_seed)
    mean, logvar = encode_rows(trained.vae, data, rows, generator)
    terms = decompose(mean, logvar, trained.prior, samples=samples, generator=generator)
    likelihood = reconstruction_of_rows(trained.vae, data, rows[:samples], generator)
    row = {"cell": cell, "strength": strength, "seed": seed, "source": data.source}
    row |= {"images": len(rows), "samples": samples, **asdict(terms), "log_likelihood": likelihood}
    write_table(decomposition, pd.DataFrame([row]))


if __name__ == "__main__":
    run(decompose_elbo)
