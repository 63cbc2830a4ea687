"""The average of a value over runs lies in a range: one-sided t-tests, one per end.

The spread is that of all runs, of every strength: wider than the noise of the seeds alone, so the
interval errs on the careful side.
"""

import numpy as np
import pandas as pd
from scipy.stats import t

from latents.finding import (
    Finding,
    Standards,
    at_least_by_sign,
    decide,
    few_runs,
    nothing_found,
    range_text,
    standard_errors,
    values_of,
)


def judge(
    runs: pd.DataFrame, standards: Standards, *, above: float = -np.inf, below: float = np.inf
) -> Finding:
    """The effect is the mean over runs, with its t-interval."""
    values, units = values_of(runs), len(runs)
    mean, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(units))
    if lacking := few_runs(units, standards.runs):
        return nothing_found(units, lacking, mean)
    nearest = min(standard_errors(mean - above, error), standard_errors(below - mean, error))
    p = at_least_by_sign(float(t.sf(nearest, units - 1)), units)
    verdict = decide(p, float(t.cdf(nearest, units - 1)), standards.level)
    reach = float(t.isf(standards.level, units - 1)) * error
    reason = f"{mean:.3g} on average, to be {range_text(above, below)}"
    return Finding(mean, mean - reach, mean + reach, p, units, verdict, reason)
