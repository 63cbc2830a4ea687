"""From tables to a finding: the runs' values, what is missing among them, and the test.

A claim names its numbers (`terms`), puts them together (`value`, an expression such as
`abs(mean - sampled)`), and names a test, a module of `latents/claims`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from latents.finding import Finding, Standards, nothing_found

STRENGTH = "strength"


def tabulate_runs(
    terms: dict[str, "pd.Series[float]"],
    *,
    value: str,
    against: str = STRENGTH,
    strengths: list[float] | None = None,
) -> pd.DataFrame:
    """One row per run: `strength`, `seed`, the `value` and what it is set `against`.

    Terms are indexed by (strength, seed); a run without a term has no value.
    """
    table = pd.DataFrame(terms)
    if strengths is not None:
        table = table[table.index.get_level_values(STRENGTH).isin(strengths)]
    table = table.reset_index()
    wanted = {"value": value, "against": against}
    columns = {name: table.eval(text, engine="python") for name, text in wanted.items()}
    runs: pd.DataFrame = table[[STRENGTH, "seed"]].assign(**columns)
    return runs


def examine(
    runs: pd.DataFrame,
    standards: Standards,
    judge: Callable[..., Finding],
    arguments: dict[str, Any],
) -> Finding:
    """The test's finding on all runs that have their numbers; how many do not is always said."""
    complete = np.isfinite(runs[["value", "against"]].to_numpy(dtype=np.float64)).all(axis=1)
    known, missing = runs[complete], int((~complete).sum())
    remark = f"{missing} of {len(runs)} runs have no such value" if missing else ""
    seeds = known["seed"].nunique()
    if seeds < standards.seeds:
        lacking = (
            f"{standards.seeds} seeds are needed, there {'is' if seeds == 1 else 'are'} {seeds}"
        )
        return nothing_found(len(known), lacking).because(remark)
    return judge(known, standards, **arguments).because(remark)


def adjust_holm(p: "pd.Series[float]") -> "pd.Series[float]":
    """Holm's step-down values: the i-th smallest of m is max over j <= i of (m - j + 1) p_(j).

    A claim that could not be tested has none and does not count.
    """
    ordered = p.dropna().sort_values()
    factors = np.arange(len(ordered), 0, -1)
    return (ordered * factors).cummax().clip(upper=1.0).reindex(p.index)
