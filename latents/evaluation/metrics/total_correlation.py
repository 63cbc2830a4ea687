"""Gaussian total correlation, in nats."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.covariance import covariance

TAKES = "codes"
COST = "cheap"
MINIMUM_VARIABLES = 2
summarise = covariance


def score(codes: NDArray[np.floating]) -> float:
    """Return the total correlation of codes (n, k)."""
    return score_matrix(summarise(codes))


def score_matrix(matrix: NDArray[np.float64]) -> float:
    """Return TC = 1/2 (sum_j ln C_jj - ln det C), C the sample covariance of the codes.

    The KL divergence between a Gaussian of covariance C and the product of its marginals: zero
    for uncorrelated codes, infinite for collinear or constant ones, unchanged by rescaling any
    code. For n independent Gaussian examples it is about k (k - 1) / (4 n) above zero.
    """
    sign, log_determinant = np.linalg.slogdet(matrix)
    if sign <= 0:
        return float("inf")
    return float((np.log(np.diag(matrix)).sum() - log_determinant) / 2)
