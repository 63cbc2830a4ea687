"""A value rises or falls with another one over all runs: Spearman's rank correlation.

Against no trend at all (a bound of 0) the test permutes one of the two over the runs, listing all
permutations where there are few of them. Against any other bound, and for the interval, it uses
Fisher's z with the variance (1 + rho^2 / 2) / (n - 3) of Bonett and Wright (2000).
"""

from itertools import count, permutations
from math import factorial, lgamma, log

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm, rankdata

from latents.finding import (
    Finding,
    Standards,
    decide,
    few_runs,
    nothing_found,
    range_text,
    values_of,
)
from latents.rank_correlation import correlate

FEWEST = 4  # with three runs, z has no variance
SEED = 0
ROUNDING = 1e-9
Array = NDArray[np.float64]


def judge(
    runs: pd.DataFrame, standards: Standards, *, above: float = -1.0, below: float = 1.0
) -> Finding:
    """The effect is the rank correlation of `value` with `against`."""
    x, y, units = values_of(runs, "against"), values_of(runs), len(runs)
    rho = correlate(x, y)
    if units < FEWEST or np.isnan(rho):
        fixed = "the value" if np.ptp(y) == 0 else "what it should go with"
        return nothing_found(units, few_runs(units, FEWEST) or f"{fixed} never changes")
    upwards, downwards = _test(x, y, above, standards), _test(x, y, below, standards)
    p = max(upwards[0], downwards[1])
    verdict = decide(p, min(upwards[1], downwards[0]), standards.level)
    low, high = interval(rho, units, standards.level)
    reason = f"rank correlation {rho:.2f}, to be {_wanted(above, below)}"
    found = Finding(rho, low, high, p, units, verdict, reason)
    return found.unless(few_runs(units, fewest_runs(x, standards.level)))


def _wanted(above: float, below: float) -> str:
    """No correlation is beyond -1 or 1, so these are no bounds."""
    return range_text(above if above > -1 else -np.inf, below if below < 1 else np.inf)


def _test(x: Array, y: Array, bound: float, standards: Standards) -> tuple[float, float]:
    """p-values for "the correlation is above the bound" and for "it is below"."""
    if bound == 0:
        return permutation_test(x, y, standards.permutations)
    with np.errstate(divide="ignore"):
        distance = _fisher(correlate(x, y), len(x)) - np.arctanh(bound)
    z = distance / _standard_error(correlate(x, y), len(x))
    return float(norm.sf(z)), float(norm.cdf(z))


def permutation_test(x: Array, y: Array, drawn: int) -> tuple[float, float]:
    """Shares of permutations with at least, and with at most, the observed correlation.

    Drawn permutations count the observed one among themselves, which keeps the level.
    """
    a, b = (rankdata(values) - (len(x) + 1) / 2 for values in (x, y))
    listed = factorial(len(x)) <= drawn
    orders = _all_orders(len(x)) if listed else _random_orders(len(x), drawn)
    found, own = b[orders] @ a, 0 if listed else 1
    above = int((found >= b @ a - ROUNDING).sum()) + own
    below = int((found <= b @ a + ROUNDING).sum()) + own
    return above / (len(orders) + own), below / (len(orders) + own)


def _all_orders(size: int) -> NDArray[np.intp]:
    return np.array(list(permutations(range(size))))


def _random_orders(size: int, drawn: int) -> NDArray[np.intp]:
    return np.random.RandomState(SEED).rand(drawn, size).argsort(axis=1)


def interval(rho: float, units: int, level: float) -> tuple[float, float]:
    """One-sided limits on either side, back from Fisher's z."""
    z, reach = _fisher(rho, units), norm.isf(level) * _standard_error(rho, units)
    return float(np.tanh(z - reach)), float(np.tanh(z + reach))


def _standard_error(rho: float, units: int) -> float:
    return float(np.sqrt((1 + rho**2 / 2) / (units - 3)))


def _fisher(rho: float, units: int) -> float:
    """z of a correlation; a perfect one counts as half a step (one swap of neighbours) less."""
    most = 1 - 6 / (units * (units**2 - 1))
    return float(np.arctanh(np.clip(rho, -most, most)))


def fewest_runs(x: Array, level: float) -> int:
    """Runs from which a perfect order of as many groups as `x` has is unlikely enough.

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
