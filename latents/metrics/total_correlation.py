"""Gaussian total correlation, in nats."""

import numpy as np
from numpy.typing import NDArray

MINIMUM_VARIABLES = 2


def score(codes: NDArray[np.floating]) -> float:
    """TC = 1/2 (sum_j ln C_jj - ln det C), C the sample covariance of the codes (n, k).

    The KL divergence between a Gaussian of covariance C and the product of its marginals: zero
    for uncorrelated codes, infinite for collinear ones, unchanged by rescaling any code. For n
    independent Gaussian examples it is about k (k - 1) / (4 n) above zero.
    """
    covariance = np.cov(codes.astype(np.float64), rowvar=False)
    sign, log_determinant = np.linalg.slogdet(covariance)
    if sign <= 0:
        return float("inf")
    return float((np.log(np.diag(covariance)).sum() - log_determinant) / 2)
