"""Score one model by a metric that takes the posteriors of many images."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from latents.data.batches import open_source
from latents.encoding.representations import encode_rows
from latents.evaluation.tables import write_table
from latents.models.determinism import choose_device, fix_rounding
from latents.models.trained_model import read_model
from latents.runtime.errors import Problem
from latents.runtime.plugins import load
from latents.runtime.step import run


def score_posteriors(
    *,
    images: Path,
    background: Path | None,
    model: Path,
    scores: Path,
    metric: str,
    variation: str | None,
    factors: list[str] | None,
    subset: int,
    samples: int,
    images_seed: int,
    noise_seed: int,
    threads: int,
    device: str,
) -> None:
    """Write the mean over the papers' factors, over all factors, and each factor's own score."""
    fix_rounding(threads)
    chosen = choose_device(device)
    data = open_source(images, chosen, variation=variation, background=background)
    names = data.factors.latent_names
    if unknown := set(factors or []) - set(names):
        raise Problem(f"chen_factors: the dataset has no factor {', '.join(sorted(unknown))}")
    trained = read_model(model, data)
    rows = np.random.RandomState(images_seed).permutation(data.factors.images)[:subset]
    generator = torch.Generator(chosen).manual_seed(noise_seed)
    encoded = encode_rows(trained.vae, data, torch.from_numpy(rows), generator)
    mean, logvar = (codes.cpu().numpy() for codes in encoded)
    known = data.factors.values_at(rows)[:, list(data.factors.latent)]
    module = load("evaluation/metrics", metric)
    found = module.score_factors(mean, logvar, known, samples=samples, seed=noise_seed)
    papers = np.isin(names, factors or names)
    parts = {metric: module.average(found[papers]), f"{metric}_all_factors": module.average(found)}
    parts |= {f"{metric}_{name}": gap for name, gap in zip(names, found, strict=True)}
    common: dict[str, Any] = {"source": data.source, "representation": "sampled"}
    common |= {"combination": "full", "variables": mean.shape[1], "images": len(rows)}
    table = [{**common, "metric": name, "score": part} for name, part in parts.items()]
    write_table(scores, pd.DataFrame(table))


if __name__ == "__main__":
    run(score_posteriors)
