"""Mutual information gap (Chen et al. 2018), in the binned form of disentanglement_lib."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.covariance import changing
from latents.evaluation.information import discretise, entropy, gap_of_best_two, mutual_information

BINS = 20
TAKES = "labelled"
COST = "cheap"
MINIMUM_VARIABLES = 2


def score(codes: NDArray[np.floating], factors: NDArray[np.int64]) -> float:
    """Return the mean over factors v of (I(z_best; v) - I(z_second; v)) / H(v), from 20 bins.

    1 if every factor is known from one code and from no other; 0 if two codes are always equally
    informative. Factors that never change are left out. NaN for one code, which has no second, and
    if no factor changes.
    """
    factors = factors[:, changing(factors)]
    if codes.shape[1] < MINIMUM_VARIABLES or not factors.size:
        return float("nan")
    information = mutual_information(discretise(codes, BINS), factors)
    return float(np.mean(gap_of_best_two(information) / entropy(factors)))
