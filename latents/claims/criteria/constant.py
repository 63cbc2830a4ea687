"""The average of a value is nearly the same at all strengths: equivalence of every two of them.

Each pair of strengths has to differ by less than `within`, tested on either side with the pooled
variance, s^2 = sum of squares within strengths / (n - k). All pairs have to pass, so the largest
p-value stands for all of them; to refute the claim one pair is enough, with a Bonferroni
correction for the number of pairs.
"""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import t

from latents.claims.finding import (
    Finding,
    Standards,
    decide,
    lack_of_runs,
    limited_by_sign_test,
    standard_errors,
    untested,
)


def judge(runs: pd.DataFrame, standards: Standards, *, within: float) -> Finding:
    """Test the largest difference between two strengths, which is the effect: last minus first."""
    groups, units = runs.groupby("strength")["value"], len(runs)
    lacking = lack_of_runs(units, standards.runs + groups.ngroups)
    if lacking or groups.ngroups < 2:
        return untested(units, lacking or "two strengths are needed, there is one")
    freedom = units - groups.ngroups
    squares = float((runs["value"] - groups.transform("mean")).pow(2).sum())
    pairs = _differences(groups.mean(), groups.size(), squares / freedom)
    distances = [standard_errors(within - abs(d), error) for d, error in pairs]
    effect, error = pairs[int(np.argmin(distances))]
    p = limited_by_sign_test(float(t.sf(min(distances), freedom)), freedom)
    contrary = float(t.cdf(min(distances), freedom)) * len(pairs)
    reach = float(t.isf(standards.level, freedom)) * error
    reason = f"strengths differ by up to {abs(effect):.3g}, to be less than {within:g}"
    verdict = decide(p, contrary, standards.level)
    return Finding(effect, effect - reach, effect + reach, p, units, verdict, reason)


def _differences(
    means: "pd.Series[float]", sizes: "pd.Series[int]", variance: float
) -> list[tuple[float, float]]:
    """Return (difference, its standard error) of every two strengths."""
    return [
        (float(means[b] - means[a]), float(np.sqrt(variance * (1 / sizes[a] + 1 / sizes[b]))))
        for a, b in combinations(means.index, 2)
    ]
