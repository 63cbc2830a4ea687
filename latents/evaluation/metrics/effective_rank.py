"""Effective rank (Roy and Vetterli 2007) of the covariance of the codes."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.covariance import covariance

TAKES = "codes"
COST = "cheap"
MINIMUM_VARIABLES = 2
summarise = covariance


def score(codes: NDArray[np.floating]) -> float:
    """Return the effective rank of the covariance of codes (n, k)."""
    return score_matrix(summarise(codes))


def score_matrix(matrix: NDArray[np.float64]) -> float:
    """Return the effective rank of the covariance itself.

    Between 1 (all codes on one line) and k (equal variance in every direction); unchanged by
    scaling all codes together, not by scaling one of them. The paper does not say which matrix
    is meant; its code takes the covariance, and so do we.
    """
    return effective_rank(np.linalg.svd(matrix, compute_uv=False))


def effective_rank(values: NDArray[np.floating]) -> float:
    """Return exp of the entropy of the singular values, taken as shares of their sum."""
    if not values.any():
        return float("nan")  # the rank of constant codes is undefined
    shares = values[values > 0] / values.sum()
    return float(np.exp(-(shares * np.log(shares)).sum()))
