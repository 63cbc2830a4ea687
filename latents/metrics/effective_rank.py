"""Effective rank (Roy and Vetterli 2007) of the covariance of the codes."""

import numpy as np
from numpy.typing import NDArray

MINIMUM_VARIABLES = 2


def score(codes: NDArray[np.floating]) -> float:
    """exp of the entropy of the normalised singular values of the covariance of codes (n, k).

    Between 1 (all codes on one line) and k (equal variance in every direction); unchanged by
    scaling all codes together, not by scaling one of them. The paper leaves open which matrix
    is meant; its code takes the covariance, and so do we.
    """
    covariance = np.cov(codes.astype(np.float64), rowvar=False)
    values = np.linalg.svd(covariance, compute_uv=False)
    if not values.any():
        return float("nan")  # codes that never change have no rank to speak of
    shares = values[values > 0] / values.sum()
    return float(np.exp(-(shares * np.log(shares)).sum()))
