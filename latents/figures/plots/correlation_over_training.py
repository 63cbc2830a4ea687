"""Correlation of one latent, active if there is one, with the others in training (Fig 13)."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from latents.figures.inputs import Inputs, Makers
from latents.figures.snapshot_tables import chosen_run, with_both_sides
from latents.figures.style import PANEL, TYPE_COLOURS

INPUTS = ("snapshots", "variables")
NEEDS = ()  # keys of its rows
MARKERS = "osD^v<>PX*"
DASHES = ("-", "--", ":")
MARKS = 12  # of a line, however many snapshots it has


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Return the correlations of the chosen run's lowest active latent, or else of latent 0."""
    run, types, snapshots = chosen_run(inputs)
    latent = types.index("active") if "active" in types else 0
    why = "its lowest active one" if "active" in types else "as none is active"
    run["choice"] += f" Latent {latent} ({types[latent]}) is compared, {why}."
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
    apart = max(1, table["step"].nunique() // MARKS)
    for place, ((other, kind), line) in enumerate(table.groupby(["other", "other_type"])):
        style: dict[str, Any] = {
            "color": TYPE_COLOURS[kind],
            "marker": MARKERS[place % len(MARKERS)],
            "linestyle": DASHES[place % len(DASHES)],
            "markevery": (place % apart, apart),  # markers of two lines are rarely at one step
            "markeredgecolor": "white",
            "markeredgewidth": 0.4,
            "markersize": 7,
            "linewidth": 0.9,
        }
        axis.plot(line["step"], line["correlation"], label=f"{other} {kind}", **style)
    axis.axhline(0, color="0.7", linewidth=0.6)
    axis.set_xlabel("Training step")
    axis.set_ylabel(f"Correlation with latent {table['latent'].iloc[0]} ({table['type'].iloc[0]})")
    figure.legend(loc="outside right upper", fontsize=8, title="other latent")
    return figure


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    last = table[table["step"] > 2 / 3 * table["step"].max()]
    by_type = last.assign(size=last["correlation"].abs()).groupby("other_type")["size"].mean()
    shown = ", ".join(f"{kind} {value:.3f}" for kind, value in by_type.items())
    latent = table["latent"].iloc[0]
    return f"Mean |correlation| of latent {latent} in the last third of training: {shown}."
