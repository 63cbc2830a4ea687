"""A value lies in a range in every run, or in most: the exact sign test, one vote per run.

Runs are taken as independent, although runs of one seed start alike at every strength. Then, under
"no more often than not", the number of runs in the range is at most binomial(n, 1/2), whatever the
values' distributions and however they differ between strengths. The claim holds if that is
refuted and at least `share` of the runs agree. If fewer agree, it does not hold if a true share
of `share` is refuted by the exact binomial test, and there is too little evidence otherwise.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import binom

from latents.claims.finding import (
    NO_NUMBER,
    Finding,
    Standards,
    decide,
    lack_of_runs,
    range_text,
    values_of,
)


def judge(
    runs: pd.DataFrame,
    standards: Standards,
    *,
    share: float,
    above: float = -np.inf,
    below: float = np.inf,
) -> Finding:
    """Test the runs' votes; the effect is the median over runs, with the sign test's interval."""
    values, units = values_of(runs), len(runs)
    inside = int(((values > above) & (values < below)).sum())
    p = float(binom.sf(inside - 1, units, 0.5))
    refuted = float(binom.cdf(inside, units, share))
    agree = inside >= share * units
    verdict = decide(p if agree else 1.0, 1.0 if agree else refuted, standards.level)
    reason = f"{range_text(above, below)} in {inside} of {units} runs, {share:.0%} are asked for"
    reason += "; p is against one half" + ("" if agree else f", against {share:.0%} {refuted:.2g}")
    low, high = median_interval(values, standards.level)
    finding = Finding(float(np.median(values)), low, high, p, units, verdict, reason)
    return finding.undecided_if(lack_of_runs(units, standards.runs))


def median_interval(values: NDArray[np.float64], level: float) -> tuple[float, float]:
    """Return order statistics x_(k), x_(n+1-k) with P(binomial(n, 1/2) < k) <= level, or NaN."""
    ordered = np.sort(values)
    k = int((binom.cdf(np.arange(len(values)), len(values), 0.5) <= level).sum())
    return (float(ordered[k - 1]), float(ordered[-k])) if k else (NO_NUMBER, NO_NUMBER)
