"""Mean against sampled representations, one panel per combination (Figs 9, 10, 18)."""

from string import ascii_lowercase as LETTERS
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from latents.figures.inputs import Inputs, Makers
from latents.figures.style import CURVES, draw_curve, panel_axes, share_heights
from latents.runtime.errors import Problem

INPUTS = ("scores",)
NEEDS = ("metrics", "panels", "axis")  # keys of its rows
LARGEST = 3  # number of the largest strengths at which the paper's effect is tested


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Return the plotted points, and the gap between the curves over the seeds all panels share.

    `mean` and `standard_error` are over the `seeds` that have a score at this point. `gap` is
    mean minus sampled over the `gap_seeds` that have a score in every panel of the metric, so that
    a gap never shrinks because other seeds were averaged.
    """
    if inputs.scores["cell"].nunique() > 1:
        raise Problem("this kind of figure shows one cell")
    points = []
    for letter, panel in zip(LETTERS, row["panels"], strict=False):
        metric = panel.get("metric", row["metrics"][0])
        combinations = [
            p["combination"] for p in row["panels"] if p.get("metric", metric) == metric
        ]
        scores = inputs.scores[inputs.scores["metric"] == metric]
        shown = scores[scores["combination"].isin(combinations)]
        common = {"panel": letter, "metric": metric, "combination": panel["combination"]}
        for strength in sorted(shown["strength"].unique()):
            here = shown[shown["strength"] == strength]
            for representation in CURVES:
                points.append({**common, **_point(here, panel["combination"], representation)})
    return pd.DataFrame(points)


def _point(here: pd.DataFrame, combination: str, representation: str) -> dict[str, Any]:
    """Return one strength of one metric."""
    panel = here[here["combination"] == combination]
    values = panel.loc[panel["representation"] == representation, "score"].dropna()
    shared = shared_seeds(here)
    by_seed = panel[panel["seed"].isin(shared)].groupby("representation")["score"].mean()
    return {
        "strength": here["strength"].iloc[0],
        "representation": representation,
        "mean": values.mean(),
        "standard_error": values.sem(),
        "seeds": len(values),
        "runs": here["seed"].nunique(),
        "gap": by_seed["mean"] - by_seed["sampled"] if shared else np.nan,
        "gap_seeds": len(shared),
    }


def shared_seeds(scores: pd.DataFrame) -> list[int]:
    """Return the seeds of one strength that have a score in every panel and representation."""
    complete = scores.groupby("seed")["score"].apply(lambda score: score.notna().all())
    return [int(seed) for seed, whole in complete.items() if whole]


def makers(point: dict[str, Any]) -> Makers:
    keys = ("metric", "combination", "strength", "representation")
    return "scores", {key: point[key] for key in keys}


def draw(table: pd.DataFrame, row: dict[str, Any]) -> Figure:
    """Draw one panel per combination over the strengths; panels of a metric share heights."""
    panels = row["panels"]
    figure, axes = panel_axes(len(panels))
    by_metric: dict[str, list[Axes]] = {}
    for letter, shown, axis in zip(LETTERS, panels, axes, strict=False):
        panel = table[table["panel"] == letter]
        by_metric.setdefault(panel["metric"].iloc[0], []).append(axis)
        for representation, style in CURVES.items():
            curve = panel[panel["representation"] == representation]
            draw_curve(
                axis,
                range(len(curve)),
                curve,
                errors=row["error_bars"],
                label=representation,
                **style,
            )
        ticks = panel[panel["representation"] == "mean"]
        axis.set_xticks(range(len(ticks)), [_tick(point) for point in ticks.itertuples()])
        axis.set_xlim(-0.4, len(ticks) - 0.6)
        axis.set_title(f"({letter}) {shown['title']}", fontsize=10)
        fewer = (ticks["seeds"] < ticks["runs"]).any()
        axis.set_xlabel(row["strength_axis"] + ("; seeds with a score" if fewer else ""))
        axis.yaxis.set_major_locator(MaxNLocator(5))
        if letter == "a" or table["metric"].nunique() > 1:
            axis.set_ylabel(shown.get("axis", row["axis"]))
        if panel["mean"].isna().all():
            note = "no run has two or more such variables"
            axis.text(0.5, 0.5, note, transform=axis.transAxes, ha="center", fontsize=8)
        axis.set_ylim(bottom=0)
    for alike in by_metric.values():
        share_heights(alike)
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=len(names), fontsize=9)
    return figure


def _tick(point: Any) -> str:
    """Return the strength, and the number of seeds with a score if some have none."""
    missing = point.seeds < point.runs
    return f"{point.strength:g}" + (f"\n{point.seeds}/{point.runs}" if missing else "")


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    """Return whether the paper's effect shows, with the numbers that decide it."""
    metrics = table["metric"].unique()
    return "\n".join(_describe_metric(table[table["metric"] == m], m, row) for m in metrics)


def _describe_metric(table: pd.DataFrame, metric: str, row: dict[str, Any]) -> str:
    gaps = table.drop_duplicates(["panel", "strength"]).pivot(
        index="strength", columns="panel", values=["gap", "gap_seeds"]
    )
    whole, *parts = table["panel"].unique()
    if not parts:
        return f"{metric}: one panel, there is nothing to compare."
    largest = gaps.tail(LARGEST)
    sizes = largest["gap"].abs()
    smaller = all((sizes[part] < sizes[whole]).all() for part in parts)
    undecided = bool(sizes.isna().any(axis=None))
    verdict = "too few seeds to say" if undecided else "yes" if smaller else "no"
    others = " and ".join(f"({part})" for part in parts)
    lines = [
        f"Does the paper's effect show? At the {len(largest)} largest {row['strength_axis']}, is "
        f"the gap |mean - sampled| of {others} smaller than that of ({whole}): {verdict}."
    ]
    for strength, gap in sizes.iterrows():
        seeds = int(largest.loc[strength, ("gap_seeds", whole)])
        if seeds == 0:
            lines.append(f"  {row['strength_axis']} {strength:g}: no seed has all these scores")
            continue
        shown = ", ".join(f"({panel}) {gap[panel]:.4f}" for panel in (whole, *parts))
        lines.append(f"  {row['strength_axis']} {strength:g}: {shown} over {seeds} seeds")
    return "\n".join(lines)
