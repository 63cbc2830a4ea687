"""Downstream accuracy of every combination of variables over the strength (Fig 6)."""

from string import ascii_lowercase as LETTERS
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from latents.figures.inputs import Inputs, Makers, average
from latents.figures.style import (
    TYPE_COLOURS,
    draw_curve,
    panel_axes,
    share_heights,
    strength_ticks,
)

INPUTS = ("scores",)
NEEDS = ("metrics", "panels", "axis")  # keys of its rows
# Words, colour and marker of each combination, in the order of the legend.
SERIES = {
    "full": ("all", "black", "D"),
    "active_mixed": ("active and mixed", "C4", "X"),
    "active_passive": ("active and passive", "C3", "s"),
    "mixed_passive": ("mixed and passive", "C5", "P"),
    "active": ("active", TYPE_COLOURS["active"], "v"),
    "mixed": ("mixed", TYPE_COLOURS["mixed"], "^"),
    "passive": ("passive", TYPE_COLOURS["passive"], "<"),
    "random": ("none, a guess", "0.5", "o"),
}
SPREAD = 0.6  # of the distance between two strengths: equal accuracies stand side by side


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Return the mean accuracy at the largest number of training examples that the scores have."""
    scores = inputs.scores
    parts = scores["metric"].str.extract(r"_accuracy_(\d+)$")[0].astype(float)
    examples = int(parts.max())
    accuracies = scores[parts == examples]
    points = []
    for panel in row["panels"]:
        shown = accuracies[accuracies["representation"] == panel["representation"]]
        for (combination, strength), runs in shown.groupby(["combination", "strength"]):
            common = {"representation": panel["representation"], "combination": combination}
            common |= {"strength": strength, "examples": examples, "metric": runs["metric"].iloc[0]}
            points.append({**common, **average(runs["score"]), "runs": len(runs)})
    return pd.DataFrame(points)


def makers(point: dict[str, Any]) -> Makers:
    keys = ("metric", "combination", "strength", "representation")
    return "scores", {key: point[key] for key in keys}


def draw(table: pd.DataFrame, row: dict[str, Any]) -> Figure:
    panels = row["panels"]
    figure, axes = panel_axes(len(panels), width=1.4, height=1.2)
    strengths = sorted(table["strength"].unique())
    shifts = np.linspace(-SPREAD / 2, SPREAD / 2, len(SERIES))
    for letter, panel, axis in zip(LETTERS, panels, axes, strict=False):
        shown = table[table["representation"] == panel["representation"]]
        for shift, (combination, (words, colour, marker)) in zip(
            shifts, SERIES.items(), strict=True
        ):
            line = shown[shown["combination"] == combination]
            places = [strengths.index(strength) + shift for strength in line["strength"]]
            style = {"label": words, "color": colour, "marker": marker, "linewidth": 0.8}
            draw_curve(axis, places, line, errors=row["error_bars"], markersize=5, **style)
        axis.set_title(f"({letter}) {panel['title']}", fontsize=10)
        strength_ticks(axis, strengths, row["strength_axis"])
    share_heights(axes)
    axes[0].set_ylabel(row["axis"])
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside right upper", fontsize=8, title="variables")
    return figure


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    largest = table["strength"].max()
    lines = [f"Trained on {table['examples'].iloc[0]:,} examples."]
    for which in ("mean", "sampled"):
        largest_only = table[(table["representation"] == which) & (table["strength"] == largest)]
        values = largest_only.set_index("combination")["mean"]
        shown = ", ".join(
            f"{words} {values[name]:.3f}"
            for name, (words, *_) in SERIES.items()
            if pd.notna(values.get(name))
        )
        lines.append(f"{which}, {row['strength_axis']} {largest:g}: {shown}")
    return "\n".join(lines)
