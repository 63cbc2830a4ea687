"""Gaussian Wasserstein correlation as a share of the total variance."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.covariance import covariance
from latents.evaluation.metrics import wasserstein_correlation

TAKES = "codes"
COST = "cheap"
MINIMUM_VARIABLES = 2
summarise = covariance


def score(codes: NDArray[np.floating]) -> float:
    """Return the normalised Wasserstein correlation of codes (n, k)."""
    return score_matrix(summarise(codes))


def score_matrix(matrix: NDArray[np.float64]) -> float:
    """Return W / tr C: unchanged by scaling all codes together; NaN if no code ever changes."""
    variance = float(np.trace(matrix))
    return wasserstein_correlation.score_matrix(matrix) / variance if variance else float("nan")
