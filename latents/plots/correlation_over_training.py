"""Correlation of one active latent with each of the others during training (Fig 13)."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from latents.figure_inputs import Inputs, Makers
from latents.plots.variable_counts import COLOURS
from latents.snapshot_tables import chosen_run, with_both_sides
from latents.style import PANEL

INPUTS = ("snapshots", "variables")
NEEDS = ()  # keys of its rows
DASHES = ("-", "--", ":", "-.")


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Of the lowest active latent of the chosen run (latent 0 if none is active)."""
    run, types, mine = chosen_run(inputs)
    latent = types.index("active") if "active" in types else 0
    sides = with_both_sides(mine)
    chosen = sides[sides["latent"] == latent]
    told = chosen.assign(**run, type=types[latent], other_type=[types[o] for o in chosen["other"]])
    return told.sort_values(["other", "step"], ignore_index=True)


def makers(point: dict[str, Any]) -> Makers:
    return "snapshots", {key: point[key] for key in ("cell", "strength", "seed", "step")}


def draw(table: pd.DataFrame, row: dict[str, Any]) -> Figure:
    figure = Figure(figsize=(2 * PANEL[0], 1.15 * PANEL[1]), layout="constrained")
    axis: Any = figure.subplots()
    seen: dict[str, int] = {}
    for (other, kind), line in table.groupby(["other", "other_type"]):
        drawn = seen.setdefault(kind, 0)
        seen[kind] += 1
        width = 1.1 + 0.9 * (drawn // len(DASHES))  # a fifth line of one type is bolder
        look: dict[str, Any] = {"color": COLOURS[kind], "linestyle": DASHES[drawn % len(DASHES)]}
        look["linewidth"] = width
        axis.plot(line["step"], line["correlation"], label=f"{other} {kind}", **look)
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
