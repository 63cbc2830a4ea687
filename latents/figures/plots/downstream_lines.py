"""Downstream accuracy of every combination of variables over the strength (Fig 6)."""

from string import ascii_lowercase as LETTERS
from typing import Any

import pandas as pd
import seaborn
from matplotlib.figure import Figure

from latents.figures.inputs import Inputs, Makers, average
from latents.figures.style import PANEL, draw_curve

INPUTS = ("scores",)
NEEDS = ("metrics", "panels", "axis")  # keys of its rows
SERIES = (
    "random",
    "active_mixed",
    "active_passive",
    "mixed_passive",
    "full",
    "active",
    "mixed",
    "passive",
)
MARKERS = "oXsPDv^<"


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
    figure = Figure(figsize=(1.3 * PANEL[0] * len(panels), 1.1 * PANEL[1]), layout="constrained")
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    colours = seaborn.color_palette("Dark2", len(SERIES))
    for letter, panel, axis in zip(LETTERS, panels, axes, strict=False):
        shown = table[table["representation"] == panel["representation"]]
        for combination, colour, marker in zip(SERIES, colours, MARKERS, strict=True):
            line = shown[shown["combination"] == combination]
            style = {"label": combination, "color": colour, "marker": marker, "alpha": 0.6}
            draw_curve(
                axis, line["strength"], line, errors=row["error_bars"], markersize=7, **style
            )
        axis.set_title(f"({letter}) {panel['title']}", fontsize=10)
        axis.set_xlabel(row["strength_axis"])
        axis.tick_params(axis="y", labelleft=True)
    axes[0].set_ylabel(row["axis"])
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside right center", fontsize=8, title="variables")
    return figure


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    largest = table["strength"].max()
    lines = [f"Trained on {table['examples'].iloc[0]:,} examples."]
    for which in ("mean", "sampled"):
        largest_only = table[(table["representation"] == which) & (table["strength"] == largest)]
        values = largest_only.set_index("combination")["mean"]
        shown = ", ".join(
            f"{name} {values[name]:.3f}" for name in SERIES if pd.notna(values.get(name))
        )
        lines.append(f"{which}, {row['strength_axis']} {largest:g}: {shown}")
    return "\n".join(lines)
