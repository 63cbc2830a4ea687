"""Covariance and correlation of codes, with constant codes taken care of."""

import numpy as np
from numpy.typing import NDArray

from latents.information import changing


def covariance(codes: NDArray[np.floating]) -> NDArray[np.float64]:
    """Sample covariance (ddof = 1) of codes (n, d), as (d, d).

    Rows and columns of a constant code are exactly zero, whatever rounding makes of its mean.
    """
    matrix = np.atleast_2d(np.cov(codes.astype(np.float64), rowvar=False))
    kept = changing(codes)
    return matrix * np.outer(kept, kept)


def correlation(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pearson correlation from a covariance matrix.

    A constant code correlates with nothing: its row is zero, its own place on the diagonal too.
    """
    deviations = np.sqrt(np.diag(covariance))
    scales = np.divide(1, deviations, out=np.zeros_like(deviations), where=deviations > 0)
    return np.asarray(np.clip(covariance * np.outer(scales, scales), -1, 1))
