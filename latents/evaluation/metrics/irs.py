"""Interventional robustness score (Suter et al. 2019), as disentanglement_lib computes it."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.covariance import changing
from latents.evaluation.information import discretise

BINS = 20
QUANTILE = 0.99  # not the largest deviation, which would depend on one outlier
TAKES = "labelled"
COST = "cheap"
MINIMUM_VARIABLES = 1


def score(codes: NDArray[np.floating], factors: NDArray[np.int64]) -> float:
    """Return the mean over codes of the best factor's 1 - (deviation within groups) / (largest).

    1 if each code is decided by one factor alone. Codes are weighted by their largest deviation.
    Factors are cut into 20 bins, so that one of more values has coarser groups. Constant codes and
    factors are left out; 0 if every code is constant, NaN if every factor is.
    """
    codes = codes[:, changing(codes)].astype(np.float64)
    factors = factors[:, changing(factors)]
    if not factors.size:
        return float("nan")
    if not codes.size:
        return 0.0
    largest = np.abs(codes - codes.mean(axis=0)).max(axis=0)
    within = [_deviation_within(codes, groups) for groups in discretise(factors, BINS).T]
    robustness = 1 - np.min(within, axis=0) / largest
    return float(np.average(robustness, weights=largest))


def _deviation_within(
    codes: NDArray[np.floating], groups: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the 99 % quantile of |code - mean of its group|, averaged over groups, per code."""
    members = [codes[groups == group] for group in np.unique(groups)]
    quantiles = [
        np.quantile(np.abs(member - member.mean(axis=0)), QUANTILE, axis=0) for member in members
    ]
    return np.asarray(np.mean(quantiles, axis=0))
