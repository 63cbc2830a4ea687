"""What a test of a claim finds, and how sure it has to be before it says so."""

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
    """What all tests share; set in config.yaml before any result is seen."""

    level: float  # of every one-sided test; intervals then cover 1 - 2 level
    permutations: int  # drawn where there are too many to list
    seeds: int  # the fewest that anything is concluded from

    @property
    def runs(self) -> int:
        """Fewest runs that can say anything without assuming a distribution: 2^-n <= level."""
        return ceil(log2(1 / self.level))


@dataclass(frozen=True)
class Finding:
    """The size of an effect over `units` runs, its interval, the claim's p-value, and the verdict.

    `p` is one-sided: how likely such runs are if the claim is false.
    """

    effect: float
    low: float
    high: float
    p: float
    units: int
    verdict: str
    reason: str

    def because(self, more: str) -> "Finding":
        """The same finding with another remark."""
        return replace(self, reason="; ".join(filter(None, (self.reason, more))))

    def unless(self, lacking: str) -> "Finding":
        """The same numbers without a conclusion, if something is lacking for one."""
        return replace(self, verdict=UNCLEAR).because(lacking) if lacking else self


def nothing_found(units: int, reason: str, effect: float = NO_NUMBER) -> Finding:
    """No interval and no p-value, because nothing could be tested."""
    return Finding(effect, NO_NUMBER, NO_NUMBER, NO_NUMBER, units, UNCLEAR, reason)


def decide(p: float, contrary: float, level: float) -> str:
    """`p` speaks against a world in which the claim is false, `contrary` against one in which it
    is true; where neither is small, the runs do not decide."""
    if p <= level:
        return HOLDS
    return FAILS if contrary <= level else UNCLEAR


def few_runs(units: int, needed: int) -> str:
    """Why too few runs decide nothing; empty where there are enough."""
    return f"{needed} runs are needed, there are {units}" if units < needed else ""


def at_least_by_sign(p: float, units: int) -> float:
    """Runs that happen not to vary prove no more than their number: not below 2^-n."""
    return max(p, 0.5**units)


def values_of(runs: pd.DataFrame, column: str = "value") -> NDArray[np.float64]:
    """A column of a table of runs as numbers."""
    values: NDArray[np.float64] = runs[column].to_numpy(dtype=np.float64)
    return values


def range_text(above: float, below: float) -> str:
    """`above 0`, `below 0.1` or `between 0.9 and 1.1`."""
    if np.isfinite(above) and np.isfinite(below):
        return f"between {above:g} and {below:g}"
    return f"above {above:g}" if np.isfinite(above) else f"below {below:g}"


def standard_errors(distance: float, error: float) -> float:
    """A distance in standard errors; none is no distance, even where nothing varies."""
    if error > 0:
        return distance / error
    return float(np.sign(distance) * np.inf) if distance else 0.0
