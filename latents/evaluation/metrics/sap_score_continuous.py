"""Separated attribute predictability (Kumar et al. 2018) of factors taken as numbers."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.covariance import changing, correlation, covariance
from latents.evaluation.information import gap_of_best_two

TAKES = "labelled"
COST = "cheap"
MINIMUM_VARIABLES = 2
LEAST_VARIANCE = 1e-12  # a code that varies less predicts nothing


def score(codes: NDArray[np.floating], factors: NDArray[np.int64]) -> float:
    """Return the mean over factors of the best minus the second-best squared correlation.

    Factors that never change are left out. NaN for one code, which has no second, and if no factor
    changes.
    """
    factors = factors[:, changing(factors)]
    count = codes.shape[1]
    if count < MINIMUM_VARIABLES or not factors.size:
        return float("nan")
    matrix = covariance(np.hstack([codes, factors]))
    squared = correlation(matrix)[:count, count:] ** 2
    squared[np.diag(matrix)[:count] <= LEAST_VARIANCE] = 0
    return float(np.mean(gap_of_best_two(squared)))
