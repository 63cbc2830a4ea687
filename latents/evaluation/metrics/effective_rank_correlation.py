"""Effective rank (Roy and Vetterli 2007) of the correlation of the codes."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.covariance import correlation, covariance
from latents.evaluation.metrics.effective_rank import effective_rank

TAKES = "codes"
COST = "cheap"
MINIMUM_VARIABLES = 2
summarise = covariance


def score(codes: NDArray[np.floating]) -> float:
    """Return the effective rank of the correlation of codes (n, k)."""
    return score_matrix(summarise(codes))


def score_matrix(matrix: NDArray[np.float64]) -> float:
    """Return the effective rank of the correlation from the covariance.

    Unlike the rank of the covariance it is unchanged by scaling any one code. A code of tiny
    variance counts as much as any other; a constant one does not count.
    """
    return effective_rank(np.linalg.svd(correlation(matrix), compute_uv=False))
