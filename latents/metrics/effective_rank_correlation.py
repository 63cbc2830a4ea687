"""Effective rank (Roy and Vetterli 2007) of the correlation of the codes."""

import numpy as np
from numpy.typing import NDArray

from latents.covariance import correlation, covariance
from latents.metrics.effective_rank import effective_rank

TAKES = "codes"
COST = "cheap"
MINIMUM_VARIABLES = 2
summarise = covariance


def score(codes: NDArray[np.floating]) -> float:
    """Effective rank of the correlation of codes (n, k)."""
    return score_matrix(summarise(codes))


def score_matrix(matrix: NDArray[np.float64]) -> float:
    """Unlike the rank of the covariance, unchanged by scaling any one code.

    A code of tiny variance counts as much as any other; a constant one does not count.
    """
    return effective_rank(np.linalg.svd(correlation(matrix), compute_uv=False))
