"""Correlations between latents during training: computed at snapshots, then tabulated."""

from itertools import combinations

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from latents.data.batches import ImageSource
from latents.evaluation.covariance import correlation, covariance
from latents.models.vae import VAE


@torch.no_grad()
def correlations(
    vae: VAE, images: ImageSource, *, examples: int, images_seed: int
) -> NDArray[np.float64]:
    """Return the correlation of the mean codes, (d, d), over the same images at every snapshot.

    The model stays in training mode, and no random number of its streams is drawn.
    """
    vae.eval()
    batches = (batch for _, batch in images.draw_examples(images_seed, examples))
    means = torch.cat([vae.encode(batch)[0] for batch in batches]).cpu().numpy()
    vae.train()
    return correlation(covariance(means))


def tabulate_snapshots(snapshots: dict[int, NDArray[np.float64]]) -> pd.DataFrame:
    """Return one row per snapshot and pair of latents, a < b."""
    return pd.DataFrame(
        {"step": step, "a": a, "b": b, "correlation": matrix[a, b]}
        for step, matrix in snapshots.items()
        for a, b in combinations(range(len(matrix)), 2)
    )
