"""Number of pairs of codes that are visibly correlated."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.covariance import correlation, covariance

THRESHOLD = 0.2
TAKES = "codes"
COST = "cheap"
MINIMUM_VARIABLES = 2


def score(codes: NDArray[np.floating]) -> float:
    """Return the number of correlated pairs among codes (n, k)."""
    return score_matrix(summarise(codes))


def summarise(codes: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the Pearson correlation of every pair of codes; zero for a code that never changes."""
    return correlation(covariance(codes))


def score_matrix(matrix: NDArray[np.float64]) -> float:
    """Return the number of unordered pairs whose |r| is above 0.2, from 0 to k (k - 1) / 2."""
    return float(correlated(matrix).sum() / 2)


def correlated(matrix: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which codes are correlated with which others; a row's sum counts those of one code."""
    return (np.abs(matrix) > THRESHOLD) & ~np.eye(len(matrix), dtype=bool)
