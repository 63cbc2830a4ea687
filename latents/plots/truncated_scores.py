"""Mean against sampled representations, one panel per combination of variables (Figs 9, 10)."""

from string import ascii_lowercase as LETTERS
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from latents.problem import Problem
from latents.style import CURVES

LARGEST = 3  # the paper's effect is looked for at this many of the largest strengths


def tabulate(scores: pd.DataFrame, row: dict[str, Any]) -> pd.DataFrame:
    """The plotted points, and the gap between the curves over the seeds all panels share.

    `mean` and `standard_error` are over the `seeds` that have a score at this point. `gap` is
    mean minus sampled over the `gap_seeds` that have a score in every panel, so that a gap never
    shrinks because other seeds were averaged.
    """
    if scores["cell"].nunique() > 1 or scores["metric"].nunique() > 1:
        raise Problem("this kind of figure shows one metric of one cell")
    combinations = [panel["combination"] for panel in row["panels"]]
    shown = scores[scores["combination"].isin(combinations)]
    points = [
        _point(shown, combination, strength, representation)
        for combination in combinations
        for strength in sorted(shown["strength"].unique())
        for representation in CURVES
    ]
    return pd.DataFrame(points)


def _point(
    scores: pd.DataFrame, combination: str, strength: float, representation: str
) -> dict[str, Any]:
    here = scores[scores["strength"] == strength]
    panel = here[here["combination"] == combination]
    values = panel.loc[panel["representation"] == representation, "score"].dropna()
    common = shared_seeds(here)
    by_seed = panel[panel["seed"].isin(common)].groupby("representation")["score"].mean()
    return {
        "combination": combination,
        "strength": strength,
        "representation": representation,
        "mean": values.mean(),
        "standard_error": values.sem(),
        "seeds": len(values),
        "runs": here["seed"].nunique(),
        "gap": by_seed["mean"] - by_seed["sampled"] if common else np.nan,
        "gap_seeds": len(common),
    }


def shared_seeds(scores: pd.DataFrame) -> list[int]:
    """Seeds of one strength that have a score in every panel and representation."""
    complete = scores.groupby("seed")["score"].apply(lambda score: score.notna().all())
    return [int(seed) for seed, whole in complete.items() if whole]


def draw(table: pd.DataFrame, row: dict[str, Any]) -> Figure:
    """Categorical strengths on x, one panel per combination, plain means without error bars."""
    panels = row["panels"]
    figure = Figure(figsize=(3.6 * len(panels), 3.2), layout="constrained")
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for letter, shown, axis in zip(LETTERS, panels, axes, strict=False):
        panel = table[table["combination"] == shown["combination"]]
        for representation, style in CURVES.items():
            curve = panel[panel["representation"] == representation]
            axis.plot(range(len(curve)), curve["mean"], label=representation, **style)
        ticks = panel[panel["representation"] == "mean"]
        axis.set_xticks(range(len(ticks)), [_tick(point) for point in ticks.itertuples()])
        axis.set_xlim(-0.4, len(ticks) - 0.6)
        axis.set_title(f"({letter}) {shown['title']}", fontsize=10)
        axis.set_xlabel(row["strength_axis"])
        axis.yaxis.set_major_locator(MaxNLocator(5))
        axis.tick_params(axis="y", labelleft=True)
        if panel["mean"].isna().all():
            note = "no run has two or more such variables"
            axis.text(0.5, 0.5, note, transform=axis.transAxes, ha="center", fontsize=8)
    axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel(row["axis"])
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=len(names), fontsize=9)
    return figure


def _tick(point: Any) -> str:
    """The strength, and how many seeds the point rests on where some have no score."""
    missing = point.seeds < point.runs
    return f"{point.strength:g}" + (f"\n{point.seeds} of {point.runs}\nseeds" if missing else "")


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    """Whether the paper's effect is there, with the numbers that decide it."""
    gaps = table.drop_duplicates(["combination", "strength"]).pivot(
        index="strength", columns="combination", values=["gap", "gap_seeds"]
    )
    combinations = [panel["combination"] for panel in row["panels"]]
    whole, *parts = combinations
    if not parts:
        return "One panel: there is nothing to compare."
    largest = gaps.tail(LARGEST)
    sizes = largest["gap"].abs()
    smaller = all((sizes[part] < sizes[whole]).all() for part in parts)
    undecided = bool(sizes.isna().any(axis=None))
    verdict = "too few seeds to say" if undecided else "yes" if smaller else "no"
    letters = dict(zip(combinations, LETTERS, strict=False))
    others = " and ".join(f"({letters[part]})" for part in parts)
    lines = [
        f"Does the paper's effect show? At the {len(largest)} largest {row['strength_axis']}, is "
        f"the gap |mean - sampled| of {others} smaller than that of ({letters[whole]}): {verdict}."
    ]
    for strength, gap in sizes.iterrows():
        seeds = int(largest.loc[strength, ("gap_seeds", whole)])
        if seeds == 0:
            lines.append(f"  {row['strength_axis']} {strength:g}: no seed has all these scores")
            continue
        shown = ", ".join(f"({letters[panel]}) {gap[panel]:.4f}" for panel in combinations)
        lines.append(f"  {row['strength_axis']} {strength:g}: {shown} over {seeds} seeds")
    return "\n".join(lines)
