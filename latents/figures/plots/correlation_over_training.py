"""Correlation of one active latent with each of the others during training (Fig 13)."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from latents.figures.inputs import Inputs, Makers
from latents.figures.plots.variable_counts import COLOURS
from latents.figures.snapshot_tables import chosen_run, with_both_sides
from latents.figures.style import PANEL

INPUTS = ("snapshots", "variables")
NEEDS = ()  # keys of its rows
DASHES = ("-", "--", ":", "-.")


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Return the correlations of the chosen run's lowest active latent, or else of latent 0."""
    run, types, snapshots = chosen_run(inputs)
    latent = types.index("active") if "active" in types else 0
    sides = with_both_sides(snapshots)
    chosen = sides[sides["latent"] == latent]
    others = [types[other] for other in chosen["other"]]
    table = chosen.assign(**run, type=types[latent], other_type=others)
    return table.sort_values(["other", "step"], ignore_index=True)


def makers(point: dict[str, Any]) -> Makers:
    return "snapshots", {key: point[key] for key in ("cell", "strength", "seed", "step")}


def draw(table: pd.DataFrame, row: dict[str, Any]) -> Figure:
    figure = Figure(figsize=(2 * PANEL[0], 1.15 * PANEL[1]), layout="constrained")
    axis: Any = figure.subplots()
    counts: dict[str, int] = {}
    for (other, kind), line in table.groupby(["other", "other_type"]):
        drawn = counts.setdefault(kind, 0)
        counts[kind] += 1
        width = 1.1 + 0.9 * (drawn // len(DASHES))  # a fifth line of one type is bolder
        style: dict[str, Any] = {"color": COLOURS[kind], "linestyle": DASHES[drawn % len(DASHES)]}
        style["linewidth"] = width
        axis.plot(line["step"], line["correlation"], label=f"{other} {kind}", **style)
    axis.axhline(0, color="0.7", linewidth=0.6)
    axis.set_xlabel("Training step")
    axis.set_ylabel(f"Correlation with latent {table['latent'].iloc[0]} ({table['type'].iloc[0]})")
    figure.legend(loc="outside right center", fontsize=8, title="other latent")
    return figure


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    last = table[table["step"] > 2 / 3 * table["step"].max()]
    by_type = last.assign(size=last["correlation"].abs()).groupby("other_type")["size"].mean()
    shown = ", ".join(f"{kind} {value:.3f}" for kind, value in by_type.items())
    latent = table["latent"].iloc[0]
    return f"Mean |correlation| of latent {latent} in the last third of training: {shown}."
