"""Chen's mutual information gap of one model."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from latents.batches import open_source
from latents.chen_mig import gaps
from latents.encoding import encode_rows
from latents.model_file import read_model
from latents.problem import Problem
from latents.step import run
from latents.tables import write_table
from latents.training import choose_device, fix_rounding


def score_chen_mig(
    *,
    images: Path,
    background: Path | None,
    model: Path,
    scores: Path,
    variation: str | None,
    factors: list[str] | None,
    subset: int,
    samples: int,
    images_seed: int,
    noise_seed: int,
    threads: int,
    device: str,
) -> None:
    """Mean gap over all factors and over those of the paper; `images` tells of how many images."""
    fix_rounding(threads)
    chosen = choose_device(device)
    data = open_source(images, chosen, variation=variation, background=background)
    trained = read_model(model, data)
    rows = np.random.RandomState(images_seed).permutation(data.factors.images)[:subset]
    generator = torch.Generator(chosen).manual_seed(noise_seed)
    mean, logvar = encode_rows(trained.vae, data, torch.from_numpy(rows), generator)
    known = torch.from_numpy(data.factors.factors(rows)[:, list(data.factors.latent)]).to(chosen)
    found = gaps(mean, logvar, known, samples=samples, generator=generator).numpy()
    names = data.factors.latent_names
    if unknown := set(factors or []) - set(names):
        raise Problem(f"chen_factors: the dataset has no factor {', '.join(sorted(unknown))}")
    papers = [gap for name, gap in zip(names, found, strict=True) if name in (factors or names)]
    told: dict[str, Any] = {"source": data.source, "representation": "sampled"}
    told |= {"combination": "full", "variables": mean.shape[1], "images": len(rows)}
    parts = {"chen_mig": np.nanmean(papers), "chen_mig_all_factors": np.nanmean(found)}
    parts |= {f"chen_mig_{name}": gap for name, gap in zip(names, found, strict=True)}
    write_table(scores, pd.DataFrame([{**told, "metric": m, "score": s} for m, s in parts.items()]))


if __name__ == "__main__":
    run(score_chen_mig)
