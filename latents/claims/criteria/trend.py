"""A value rises or falls with another one over all runs: Spearman's rank correlation.

Against no trend at all (a bound of 0) the test permutes one of the two over the runs, listing all
permutations if there are few of them. Against any other bound, and for the interval, it uses
Fisher's z with the variance (1 + rho^2 / 2) / (n - 3) of Bonett and Wright (2000).
"""

from itertools import count, permutations
from math import factorial, lgamma, log

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm, rankdata

from latents.claims.finding import (
    Finding,
    Standards,
    decide,
    lack_of_runs,
    range_text,
    untested,
    values_of,
)
from latents.evaluation.rank_correlation import correlate

FEWEST = 4  # with three runs, z has no variance
SEED = 0
ROUNDING = 1e-9
Array = NDArray[np.float64]


def judge(
    runs: pd.DataFrame, standards: Standards, *, above: float = -1.0, below: float = 1.0
) -> Finding:
    """Test the rank correlation of `value` with `against`, which is the effect."""
    x, y, units = values_of(runs, "against"), values_of(runs), len(runs)
    rho = correlate(x, y)
    if units < FEWEST or np.isnan(rho):
        fixed = "the value" if np.ptp(y) == 0 else "what it should go with"
        return untested(units, lack_of_runs(units, FEWEST) or f"{fixed} never changes")
    upwards, downwards = _test(x, y, above, standards), _test(x, y, below, standards)
    p = max(upwards[0], downwards[1])
    verdict = decide(p, min(upwards[1], downwards[0]), standards.level)
    low, high = interval(rho, units, standards.level)
    reason = f"rank correlation {rho:.2f}, to be {_wanted(above, below)}"
    finding = Finding(rho, low, high, p, units, verdict, reason)
    return finding.undecided_if(lack_of_runs(units, fewest_runs(x, standards.level)))


def _wanted(above: float, below: float) -> str:
    """Return the range in words; -1 and 1 are no bounds, as no correlation is beyond them."""
    return range_text(above if above > -1 else -np.inf, below if below < 1 else np.inf)


def _test(x: Array, y: Array, bound: float, standards: Standards) -> tuple[float, float]:
    """Return p-values for "the correlation is above the bound" and for "it is below"."""
    if bound == 0:
        return permutation_test(x, y, standards.permutations)
    with np.errstate(divide="ignore"):
        distance = _fisher(correlate(x, y), len(x)) - np.arctanh(bound)
    z = distance / _standard_error(correlate(x, y), len(x))
    return float(norm.sf(z)), float(norm.cdf(z))


def permutation_test(x: Array, y: Array, drawn: int) -> tuple[float, float]:
    """Return the shares of permutations with at least, and with at most, the observed correlation.

    Drawn permutations include the observed one, which keeps the level.
    """
    a, b = (rankdata(values) - (len(x) + 1) / 2 for values in (x, y))
    listed = factorial(len(x)) <= drawn
    orders = _all_orders(len(x)) if listed else _random_orders(len(x), drawn)
    products, own = b[orders] @ a, 0 if listed else 1
    above = int((products >= b @ a - ROUNDING).sum()) + own
    below = int((products <= b @ a + ROUNDING).sum()) + own
    return above / (len(orders) + own), below / (len(orders) + own)


def _all_orders(size: int) -> NDArray[np.intp]:
    return np.array(list(permutations(range(size))))


def _random_orders(size: int, drawn: int) -> NDArray[np.intp]:
    return np.random.RandomState(SEED).rand(drawn, size).argsort(axis=1)


def interval(rho: float, units: int, level: float) -> tuple[float, float]:
    """Return one-sided limits on either side, transformed back from Fisher's z."""
    z, reach = _fisher(rho, units), norm.isf(level) * _standard_error(rho, units)
    return float(np.tanh(z - reach)), float(np.tanh(z + reach))


def _standard_error(rho: float, units: int) -> float:
    return float(np.sqrt((1 + rho**2 / 2) / (units - 3)))


def _fisher(rho: float, units: int) -> float:
    """Return z of a correlation; a perfect one counts half a step (a swap of neighbours) less."""
    most = 1 - 6 / (units * (units**2 - 1))
    return float(np.arctanh(np.clip(rho, -most, most)))


def fewest_runs(x: Array, level: float) -> int:
    """Return the number of runs from which a perfect order of the groups of `x` is unlikely enough.

    k groups of m runs can be arranged in (km)! / m!^k ways.
    """
    sizes = np.unique(x, return_counts=True)[1]
    if _log_arrangements(sizes.tolist()) >= log(1 / level) - ROUNDING:
        return len(x)
    groups = len(sizes)
    return next(
        groups * m
        for m in count(1)
        if groups * m > len(x) and _log_arrangements([m] * groups) >= log(1 / level) - ROUNDING
    )


def _log_arrangements(sizes: list[int]) -> float:
    return lgamma(sum(sizes) + 1) - sum(lgamma(size + 1) for size in sizes)
