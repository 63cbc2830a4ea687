"""Gaussian Wasserstein correlation as a share of the total variance."""

import numpy as np
from numpy.typing import NDArray

from latents.covariance import covariance
from latents.metrics import wasserstein_correlation

TAKES = "codes"
COST = "cheap"
MINIMUM_VARIABLES = 2
summarise = covariance


def score(codes: NDArray[np.floating]) -> float:
    """Normalised Wasserstein correlation of codes (n, k)."""
    return score_matrix(summarise(codes))


def score_matrix(matrix: NDArray[np.float64]) -> float:
    """W / tr C: unchanged by scaling all codes together; NaN where no code ever changes."""
    variance = float(np.trace(matrix))
    return wasserstein_correlation.score_matrix(matrix) / variance if variance else float("nan")
