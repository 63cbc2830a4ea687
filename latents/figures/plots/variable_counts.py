"""Numbers of active, mixed and passive variables over the strength, stacked (Figs 7, 14)."""

from string import ascii_lowercase as LETTERS
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from latents.figures.inputs import Inputs, Makers, average
from latents.figures.style import TYPE_COLOURS, panel_axes, share_heights, strength_ticks

INPUTS = ("variables",)
NEEDS = ("panels",)  # keys of its rows


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Return the mean number of variables of each type, over the seeds of each strength."""
    points = []
    for panel in row["panels"]:
        variables = inputs.variables[inputs.variables["cell"] == panel["cell"]]
        for strength, runs in variables.groupby("strength"):
            counts = runs.groupby("seed")["type"].value_counts().unstack(fill_value=0)
            for kind in TYPE_COLOURS:
                count = counts.get(kind, pd.Series(0, index=counts.index))
                common = {"cell": panel["cell"], "strength": strength, "type": kind}
                points.append({**common, **average(count)})
    return pd.DataFrame(points)


def makers(point: dict[str, Any]) -> Makers:
    return "variables", {key: point[key] for key in ("cell", "strength", "type")}


def draw(table: pd.DataFrame, row: dict[str, Any]) -> Figure:
    panels = row["panels"]
    figure, axes = panel_axes(len(panels))
    for letter, panel, axis in zip(LETTERS, panels, axes, strict=False):
        points = table[table["cell"] == panel["cell"]]
        bottom = 0.0
        for kind, colour in TYPE_COLOURS.items():
            bars = points[points["type"] == kind]
            heights = bars["mean"].to_numpy()
            errors = bars["standard_error"] if row["error_bars"] else None
            axis.bar(
                range(len(bars)), heights, bottom=bottom, color=colour, label=kind, yerr=errors
            )
            bottom = bottom + heights
        strength_ticks(axis, sorted(points["strength"].unique()), panel["axis"])
        axis.set_title(f"({letter}) {panel['title']}", fontsize=10)
    share_heights(axes)
    axes[0].set_ylabel("Number of variables (averaged)")
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles[::-1], names[::-1], loc="outside right upper", fontsize=9)
    return figure


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    lines = []
    for letter, panel in zip(LETTERS, row["panels"], strict=False):
        passive = table[(table["cell"] == panel["cell"]) & (table["type"] == "passive")]
        shown = ", ".join(f"{p.strength:g}: {p.mean:.1f}" for p in passive.itertuples())
        lines.append(f"({letter}) passive variables by {panel['axis']}: {shown}")
    return "\n".join(lines)
