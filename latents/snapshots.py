"""How the latents correlate while a model trains: looked at during training, then in one table."""

from itertools import combinations

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from latents.batches import ImageSource
from latents.covariance import correlation, covariance
from latents.vae import VAE


@torch.no_grad()
def correlations(
    vae: VAE, images: ImageSource, *, examples: int, images_seed: int
) -> NDArray[np.float64]:
    """Correlation of the mean codes, (d, d), over the same images at every look.

    The model is left as it was: in training, and with no random number drawn.
    """
    vae.eval()
    looks = (look for _, look in images.draw_examples(images_seed, examples))
    means = torch.cat([vae.encode(look)[0] for look in looks]).cpu().numpy()
    vae.train()
    return correlation(covariance(means))


def tabulate_snapshots(snapshots: dict[int, NDArray[np.float64]]) -> pd.DataFrame:
    """One row per snapshot and pair of latents, a < b."""
    return pd.DataFrame(
        {"step": step, "a": a, "b": b, "correlation": matrix[a, b]}
        for step, matrix in snapshots.items()
        for a, b in combinations(range(len(matrix)), 2)
    )
