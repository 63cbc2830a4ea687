"""Examination of a claim: the value of every run, the runs without one, and the test.

A claim names its numbers (`terms`), combines them (`value`, an expression such as
`abs(mean - sampled)`), and names a test, a module of `latents/claims/criteria`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from latents.claims.finding import Finding, Standards, untested

STRENGTH = "strength"


def tabulate_runs(
    terms: dict[str, "pd.Series[float]"],
    *,
    value: str,
    against: str = STRENGTH,
    strengths: list[float] | None = None,
) -> pd.DataFrame:
    """Return one row per run: `strength`, `seed`, the `value` and what it is compared `against`.

    Terms are indexed by (strength, seed); a run without a term has no value.
    """
    table = pd.DataFrame(terms)
    if strengths is not None:
        table = table[table.index.get_level_values(STRENGTH).isin(strengths)]
    table = table.reset_index()
    expressions = {"value": value, "against": against}
    columns = {name: table.eval(text, engine="python") for name, text in expressions.items()}
    runs: pd.DataFrame = table[[STRENGTH, "seed"]].assign(**columns)
    return runs


def examine(
    runs: pd.DataFrame,
    standards: Standards,
    judge: Callable[..., Finding],
    arguments: dict[str, Any],
) -> Finding:
    """Test all runs that have their numbers; the finding states how many do not."""
    complete = np.isfinite(runs[["value", "against"]].to_numpy(dtype=np.float64)).all(axis=1)
    measured, missing = runs[complete], int((~complete).sum())
    remark = f"{missing} of {len(runs)} runs have no such value" if missing else ""
    seeds = measured["seed"].nunique()
    if seeds < standards.seeds:
        lacking = (
            f"{standards.seeds} seeds are needed, there {'is' if seeds == 1 else 'are'} {seeds}"
        )
        return untested(len(measured), lacking).with_remark(remark)
    return judge(measured, standards, **arguments).with_remark(remark)


def adjust_holm(p: "pd.Series[float]") -> "pd.Series[float]":
    """Return Holm's step-down values: max over j <= i of (m - j + 1) p_(j) for rank i of m.

    A claim that could not be tested has none and does not count.
    """
    ordered = p.dropna().sort_values()
    factors = np.arange(len(ordered), 0, -1)
    return (ordered * factors).cummax().clip(upper=1.0).reindex(p.index)
