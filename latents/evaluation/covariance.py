"""Covariance and correlation of codes; both are zero for constant codes."""

import numpy as np
from numpy.typing import NDArray


def changing(columns: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return which columns of (n, d) hold more than one value.

    Values are compared, because the variance of a constant need not round to zero.
    """
    return np.asarray((columns != columns[:1]).any(axis=0))


def covariance(codes: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the sample covariance (ddof = 1) of codes (n, d), as (d, d).

    Rows and columns of a constant code are exactly zero, whatever the rounding of its mean.
    """
    matrix = np.atleast_2d(np.cov(codes.astype(np.float64), rowvar=False))
    kept = changing(codes)
    return matrix * np.outer(kept, kept)


def correlation(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Pearson correlation from a covariance matrix.

    A constant code correlates with nothing: its row is zero, on the diagonal too.
    """
    deviations = np.sqrt(np.diag(covariance))
    scales = np.divide(1, deviations, out=np.zeros_like(deviations), where=deviations > 0)
    return np.asarray(np.clip(covariance * np.outer(scales, scales), -1, 1))
