"""Index-code information, total correlation, dimension-wise term and likelihood of a model."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from latents.batches import open_source
from latents.decomposition import decompose
from latents.encoding import encode_rows, reconstruction_of_rows
from latents.model_file import read_model
from latents.step import run
from latents.tables import write_table
from latents.training import choose_device, fix_rounding


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
    """One row, in nats per image; `images` says over how many of the dataset's it was taken."""
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
