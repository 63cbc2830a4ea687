"""Mutual information gap by the exact mixture of all posteriors (Chen et al. 2018).

Unlike binned estimates it needs neither bins nor uniformly distributed codes: it takes the
posteriors themselves, and the entropy of a factor is the logarithm of how many values it has.
"""

from math import log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.information import gap_of_best_two

TAKES = "posteriors"
COST = "encoder"
EVERY_COMBINATION = False
MINIMUM_VARIABLES = 2
BLOCK = 2**17  # elements of a (samples, images) array at a time: 512 KB, which a cache holds
LEAST_EXPONENT = -60  # smaller ones are raised to it: subnormal numbers are slow
Array = NDArray[np.float64]


def score(
    mean: NDArray[np.floating],
    logvar: NDArray[np.floating],
    factors: NDArray[np.int64],
    *,
    samples: int,
    seed: int,
) -> float:
    """Return the mean gap over the factors that change; NaN for one code, which has no second."""
    return average(score_factors(mean, logvar, factors, samples=samples, seed=seed))


def average(gaps: Array) -> float:
    """Return the mean of the gaps that exist; NaN if none does."""
    found = gaps[np.isfinite(gaps)]
    return float(found.mean()) if found.size else float("nan")


def score_factors(
    mean: NDArray[np.floating],
    logvar: NDArray[np.floating],
    factors: NDArray[np.int64],
    *,
    samples: int,
    seed: int,
) -> Array:
    """Return the gap of each factor, (k,), from posteriors (n, d); NaN if it never changes.

    I(z_j; v) = H(z_j) - mean over values of H(z_j | v), clamped at 0, over ln(number of values);
    the gap is between the two codes with the most information about the factor, and between 0
    and 1 except for the noise of the estimate. Each entropy is estimated from `samples` codes, or
    as many as there are images, against every posterior of its images.
    """
    if mean.shape[1] < MINIMUM_VARIABLES:
        return np.full(factors.shape[1], np.nan)
    random = np.random.RandomState(seed)
    whole = entropies(mean, logvar, samples, random)
    gaps = np.full(factors.shape[1], np.nan)
    for k, column in enumerate(factors.T):
        groups = [column == value for value in np.unique(column)]
        if len(groups) > 1:
            within = [entropies(mean[rows], logvar[rows], samples, random) for rows in groups]
            information = np.maximum(whole - np.mean(within, axis=0), 0) / log(len(groups))
            gaps[k] = gap_of_best_two(information)
    return gaps


def entropies(
    mean: NDArray[np.floating],
    logvar: NDArray[np.floating],
    samples: int,
    random: np.random.RandomState,
) -> Array:
    """Return H(z_j) in nats of the mixture of n posteriors, (d,), from one code per chosen image.

    All latents share an image's noise: their marginal entropies do not need it to be independent,
    equal latents have equal entropies, and the order of latents changes nothing.
    """
    means = np.ascontiguousarray(mean.T, dtype=np.float32)
    deviations = np.exp(np.ascontiguousarray(logvar.T, dtype=np.float64) / 2)
    chosen = random.permutation(len(mean))[:samples]
    noise = random.standard_normal(len(chosen))
    codes = means[:, chosen] + deviations[:, chosen] * noise
    latents = zip(codes, means, deviations, strict=True)
    return np.array([-np.log(mixture_density(*latent)).mean() for latent in latents])


def mixture_density(codes: Array, mean: NDArray[np.float32], deviation: Array) -> Array:
    """Return the density of codes (s,) under the equal mixture of n Gaussians, (s,).

    A plain sum of exponentials in single precision: a code drawn from one of the Gaussians has a
    density under it that is far from underflow, whatever the others add.
    """
    curvature = (-0.5 / deviation**2).astype(np.float32)
    weight = (1 / deviation).astype(np.float32)
    at_once = max(1, BLOCK // len(mean))
    block, density = np.empty((at_once, len(mean)), np.float32), np.empty(len(codes))
    with np.errstate(over="ignore"):  # what is too far away is raised to the least exponent
        for start in range(0, len(codes), at_once):
            chunk = codes[start : start + at_once, None].astype(np.float32)
            terms = np.subtract(chunk, mean, out=block[: len(chunk)])
            np.multiply(terms, terms, out=terms)
            np.multiply(terms, curvature, out=terms)
            np.maximum(terms, LEAST_EXPONENT, out=terms)
            np.exp(terms, out=terms)
            summed = np.einsum("sn,n->s", terms, weight)  # no threads of BLAS
            density[start : start + at_once] = summed
    return density / (sqrt(2 * pi) * len(mean))
