"""Gaussian Wasserstein correlation."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.covariance import covariance

TAKES = "codes"
COST = "cheap"
MINIMUM_VARIABLES = 2
summarise = covariance


def score(codes: NDArray[np.floating]) -> float:
    """Return the Wasserstein correlation of codes (n, k)."""
    return score_matrix(summarise(codes))


def score_matrix(matrix: NDArray[np.float64]) -> float:
    """Return W = 2 tr C - 2 tr (D C)^(1/2), C the covariance of the codes and D its diagonal.

    The squared Wasserstein-2 distance between a Gaussian of covariance C and the product of its
    marginals: zero for uncorrelated codes, in the units of a variance, finite where the total
    correlation is not. D C has the eigenvalues of the symmetric D^(1/2) C D^(1/2), so its root
    needs no complex numbers. A constant code changes nothing.
    """
    deviations = np.sqrt(np.diag(matrix))
    values = np.linalg.eigvalsh(matrix * np.outer(deviations, deviations))
    root = np.sqrt(np.maximum(values, 0)).sum()  # rounding may leave a zero below zero
    return float(2 * np.trace(matrix) - 2 * root)
