"""Finding of a claim's test, and the standards of evidence for its verdict."""

from dataclasses import dataclass, replace
from math import ceil, log2

import numpy as np
import pandas as pd
from numpy.typing import NDArray

HOLDS = "holds"
FAILS = "does not hold"
UNCLEAR = "too little evidence"
NO_NUMBER = float("nan")


@dataclass(frozen=True)
class Standards:
    """Settings shared by all tests, chosen in config.yaml before any result is seen."""

    level: float  # of every one-sided test; intervals then cover 1 - 2 level
    permutations: int  # drawn if there are too many to list
    seeds: int  # fewest seeds for a verdict

    @property
    def runs(self) -> int:
        """Return the fewest runs that decide without an assumed distribution: 2^-n <= level."""
        return ceil(log2(1 / self.level))


@dataclass(frozen=True)
class Finding:
    """An effect over `units` runs, its interval, the claim's p-value, and the verdict.

    `p` is one-sided: the probability of such runs if the claim is false.
    """

    effect: float
    low: float
    high: float
    p: float
    units: int
    verdict: str
    reason: str

    def with_remark(self, remark: str) -> "Finding":
        """Return the same finding with another remark."""
        return replace(self, reason="; ".join(filter(None, (self.reason, remark))))

    def undecided_if(self, lacking: str) -> "Finding":
        """Return the same numbers without a verdict if `lacking` says what it would need."""
        return replace(self, verdict=UNCLEAR).with_remark(lacking) if lacking else self


def untested(units: int, reason: str, effect: float = NO_NUMBER) -> Finding:
    """Return a finding without interval and p-value, because nothing could be tested."""
    return Finding(effect, NO_NUMBER, NO_NUMBER, NO_NUMBER, units, UNCLEAR, reason)


def decide(p: float, contrary: float, level: float) -> str:
    """Return the verdict of evidence for the claim, `p`, and against it, `contrary`."""
    if p <= level:
        return HOLDS
    return FAILS if contrary <= level else UNCLEAR


def lack_of_runs(units: int, needed: int) -> str:
    """Return why too few runs decide nothing; empty if there are enough."""
    return f"{needed} runs are needed, there are {units}" if units < needed else ""


def limited_by_sign_test(p: float, units: int) -> float:
    """Return p, but not less than 2^-n: runs that happen not to vary prove no more than that."""
    return max(p, 0.5**units)


def values_of(runs: pd.DataFrame, column: str = "value") -> NDArray[np.float64]:
    """Return a column of a table of runs as numbers."""
    values: NDArray[np.float64] = runs[column].to_numpy(dtype=np.float64)
    return values


def range_text(above: float, below: float) -> str:
    """Return `above 0`, `below 0.1` or `between 0.9 and 1.1`."""
    if np.isfinite(above) and np.isfinite(below):
        return f"between {above:g} and {below:g}"
    return f"above {above:g}" if np.isfinite(above) else f"below {below:g}"


def standard_errors(distance: float, error: float) -> float:
    """Return a distance in standard errors; 0 for no distance, even if nothing varies."""
    if error > 0:
        return distance / error
    return float(np.sign(distance) * np.inf) if distance else 0.0
