"""A score of mean and sampled representations over bars of passive variables (Figs 8, 15-17)."""

from string import ascii_lowercase as LETTERS
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from latents.figures.inputs import Inputs, Makers, average
from latents.figures.style import CURVES, TYPE_COLOURS, draw_curve, panel_axes, strength_ticks

INPUTS = ("scores", "variables")
NEEDS = ("metrics", "panels")  # keys of its rows
BARS = "passive variables"


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Return the mean number of passive variables and the mean scores of each panel."""
    points = []
    for letter, panel in zip(LETTERS, row["panels"], strict=False):
        common = {"panel": letter, "cell": panel["cell"], "metric": panel["metric"]}
        types = inputs.variables[inputs.variables["cell"] == panel["cell"]]
        for strength, runs in types.groupby("strength"):
            passive = (runs["type"] == "passive").groupby(runs["seed"]).sum()
            points.append({**common, "strength": strength, "series": BARS, **average(passive)})
        full = inputs.scores[
            (inputs.scores["cell"] == panel["cell"])
            & (inputs.scores["metric"] == panel["metric"])
            & (inputs.scores["combination"] == "full")
        ]
        for (strength, which), runs in full.groupby(["strength", "representation"]):
            points.append(
                {**common, "strength": strength, "series": which, **average(runs["score"])}
            )
    return pd.DataFrame(points)


def makers(point: dict[str, Any]) -> Makers:
    run = {"cell": point["cell"], "strength": point["strength"]}
    if point["series"] == BARS:
        return "variables", {**run, "type": "passive"}
    which = {"metric": point["metric"], "representation": point["series"], "combination": "full"}
    return "scores", {**run, **which}


def draw(table: pd.DataFrame, row: dict[str, Any]) -> Figure:
    panels = row["panels"]
    figure, axes = panel_axes(len(panels), width=1.1, height=1.05)
    for letter, panel, axis in zip(LETTERS, panels, axes, strict=False):
        points = table[table["panel"] == letter]
        bars = points[points["series"] == BARS]
        errors = bars["standard_error"] if row["error_bars"] else None
        colour = TYPE_COLOURS["passive"]
        axis.bar(range(len(bars)), bars["mean"], color=colour, alpha=0.5, yerr=errors, label=BARS)
        axis.set_ylabel("Passive variables (averaged)")
        tops = bars["mean"] + (bars["standard_error"].fillna(0) if row["error_bars"] else 0)
        axis.set_ylim(0, max(1.0, 1.05 * tops.max()))
        if not bars["mean"].any():
            note: dict[str, Any] = {
                "transform": axis.transAxes,
                "ha": "center",
                "fontsize": 8,
                "color": "0.35",
            }
            axis.text(0.5, 0.03, "no run has a passive variable", **note)
        twin = axis.twinx()
        for which, style in CURVES.items():
            curve = points[points["series"] == which]
            draw_curve(
                twin, range(len(curve)), curve, errors=row["error_bars"], label=which, **style
            )
        twin.set_ylabel(panel["axis"])
        twin.set_ylim(bottom=0)
        strength_ticks(axis, bars["strength"].tolist(), panel["strength_axis"])
        axis.set_title(f"({letter}) {panel['title']}", fontsize=10)
    handles = [*axis.get_legend_handles_labels()[0], *twin.get_legend_handles_labels()[0]]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), fontsize=9)
    return figure


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    lines = []
    for letter, panel in zip(LETTERS, row["panels"], strict=False):
        means = table[table["panel"] == letter].pivot(
            index="strength", columns="series", values="mean"
        )
        gaps = means["mean"] - means["sampled"]
        shown = ", ".join(f"{strength:g}: {gap:.3g}" for strength, gap in gaps.items())
        lines.append(f"({letter}) {panel['axis']}, mean minus sampled: {shown}")
    return "\n".join(lines)
