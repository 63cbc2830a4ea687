"""Effective rank (Roy and Vetterli 2007) of the centred codes themselves."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.covariance import covariance
from latents.evaluation.metrics.effective_rank import effective_rank

TAKES = "codes"
COST = "cheap"
MINIMUM_VARIABLES = 2
summarise = covariance


def score(codes: NDArray[np.floating]) -> float:
    """Return the effective rank of centred codes (n, k)."""
    return score_matrix(summarise(codes))


def score_matrix(matrix: NDArray[np.float64]) -> float:
    """Return it from the covariance, whose roots times sqrt(n - 1) are the codes' singular values.

    Larger than the rank of the covariance, because small directions have more weight. Directions of
    no variance at all add up to about 1e-7, the root of what rounding leaves of them.
    """
    return effective_rank(np.sqrt(np.linalg.svd(matrix, compute_uv=False)))
