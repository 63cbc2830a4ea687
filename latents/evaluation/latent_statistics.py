"""Statistics of each latent over the data, which the paper's propositions are about."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ks_2samp, norm

from latents.evaluation.covariance import correlation, covariance
from latents.evaluation.representation import Representation
from latents.evaluation.variable_types import summarise

BINS = 20


def describe_latent(representation: Representation, latent: int) -> dict[str, Any]:
    """Return the moments of mean and sampled codes, and the distance of their distributions."""
    mean, sampled = (
        representation.codes(which)[:, latent].astype(np.float64) for which in ("mean", "sampled")
    )
    return {
        "mean_of_mean": mean.mean(),
        "variance_of_mean": mean.var(),
        "mean_of_sampled": sampled.mean(),
        "variance_of_sampled": sampled.var(),
        "distance_to_normal": distance_to_normal(sampled),
        "distance_mean_sampled": float(ks_2samp(mean, sampled).statistic),
        "peak_holds_zero": peak_holds_zero(mean),
    }


def describe_latents(representation: Representation) -> list[dict[str, Any]]:
    """Return one row per latent, with its largest |correlation| with another in the mean codes."""
    matrix = np.abs(correlation(covariance(representation.mean)))
    np.fill_diagonal(matrix, 0)
    means, variances = summarise(representation.variance)
    return [
        {
            "latent": latent,
            "mean_variance": means[latent],
            "variance_of_variance": variances[latent],
            **describe_latent(representation, latent),
            "largest_correlation": matrix[latent].max(),
        }
        for latent in range(len(matrix))
    ]


def distance_to_normal(code: NDArray[np.float64]) -> float:
    """Return the Kolmogorov-Smirnov distance of the code's distribution to N(0, 1)."""
    expected = norm.cdf(np.sort(code))
    ranks = np.arange(len(code) + 1) / len(code)
    return float(max((ranks[1:] - expected).max(), (expected - ranks[:-1]).max()))


def peak_holds_zero(code: NDArray[np.float64]) -> bool:
    """Return whether zero is in the fullest of twenty bins."""
    counts, edges = np.histogram(code, BINS)
    fullest = int(counts.argmax())
    return bool(edges[fullest] <= 0 <= edges[fullest + 1])
