"""The average of a value over runs lies in a range: one-sided t-tests, one per end.

The variance is that of all runs, of every strength: larger than the noise of the seeds alone, so
the interval is conservative.
"""

import numpy as np
import pandas as pd
from scipy.stats import t

from latents.claims.finding import (
    Finding,
    Standards,
    decide,
    lack_of_runs,
    limited_by_sign_test,
    range_text,
    standard_errors,
    untested,
    values_of,
)


def judge(
    runs: pd.DataFrame, standards: Standards, *, above: float = -np.inf, below: float = np.inf
) -> Finding:
    """Test the mean over runs, which is the effect, with its t-interval."""
    values, units = values_of(runs), len(runs)
    mean, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(units))
    if lacking := lack_of_runs(units, standards.runs):
        return untested(units, lacking, mean)
    nearest = min(standard_errors(mean - above, error), standard_errors(below - mean, error))
    p = limited_by_sign_test(float(t.sf(nearest, units - 1)), units)
    verdict = decide(p, float(t.cdf(nearest, units - 1)), standards.level)
    reach = float(t.isf(standards.level, units - 1)) * error
    reason = f"{mean:.3g} on average, to be {range_text(above, below)}"
    return Finding(mean, mean - reach, mean + reach, p, units, verdict, reason)
