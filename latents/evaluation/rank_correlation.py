"""Rank correlations between scores over many models, with bootstrap intervals."""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

RESAMPLES = 1000
CONFIDENCE = 0.95
FEWEST_MODELS = 3


def correlate(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return Spearman's rank correlation of two scores, (models,) each; NaN if one is constant."""
    x, y = (rankdata(scores) - (len(scores) + 1) / 2 for scores in (a, b))
    norm = np.sqrt((x @ x) * (y @ y))
    return float(x @ y / norm) if norm > 0 else float("nan")


def interval(a: NDArray[np.float64], b: NDArray[np.float64], *, seed: int) -> tuple[float, float]:
    """Return the percentile interval over models drawn with replacement."""
    random = np.random.RandomState(seed)
    drawn = random.randint(len(a), size=(RESAMPLES, len(a)))
    correlations = np.array([correlate(a[rows], b[rows]) for rows in drawn])
    correlations = correlations[np.isfinite(correlations)]
    if not len(correlations):
        return float("nan"), float("nan")
    low, high = np.quantile(correlations, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


def compare(a: NDArray[np.float64], b: NDArray[np.float64], *, seed: int) -> dict[str, float | int]:
    """Return correlation, interval and number of the models that have both scores."""
    both = np.isfinite(a) & np.isfinite(b)
    models = int(both.sum())
    if models < FEWEST_MODELS:
        return {"spearman": np.nan, "low": np.nan, "high": np.nan, "models": models}
    low, high = interval(a[both], b[both], seed=seed)
    return {"spearman": correlate(a[both], b[both]), "low": low, "high": high, "models": models}
