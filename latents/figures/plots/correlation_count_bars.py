"""Number of times that each latent was correlated with another during training (Fig 12)."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from latents.figures.inputs import Inputs, Makers
from latents.figures.snapshot_tables import chosen_run, with_both_sides
from latents.figures.style import PANEL, TYPE_COLOURS

INPUTS = ("snapshots", "variables")
NEEDS = ()  # keys of its rows
THRESHOLD = 0.2


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Count a latent's pairs (snapshot, other latent) above the threshold, and snapshots with any.

    The paper does not say which of the two it counts; the first one is drawn, both are kept.
    """
    run, types, snapshots = chosen_run(inputs)
    sides = with_both_sides(snapshots)
    above = sides.assign(above=sides["correlation"].abs() > THRESHOLD)
    steps = sides["step"].nunique()
    rows = []
    for latent, pairs in above.groupby("latent"):
        common = {**run, "latent": latent, "type": types[latent], "snapshots": steps}
        with_any = int(pairs.groupby("step")["above"].any().sum())
        rows.append({**common, "pairs": int(pairs["above"].sum()), "snapshots_with_any": with_any})
    return pd.DataFrame(rows)


def makers(point: dict[str, Any]) -> Makers:
    return "snapshots", {key: point[key] for key in ("cell", "strength", "seed")}


def draw(table: pd.DataFrame, row: dict[str, Any]) -> Figure:
    figure = Figure(figsize=(1.5 * PANEL[0], PANEL[1]), layout="constrained")
    axis: Any = figure.subplots()
    colours = [TYPE_COLOURS[kind] for kind in table["type"]]
    axis.bar(table["latent"].astype(str), table["pairs"], color=colours)
    axis.set_xlabel("Latent")
    axis.set_ylabel(f"Times |correlation| > {THRESHOLD}")
    patches = [Patch(color=colour, label=kind) for kind, colour in TYPE_COLOURS.items()]
    figure.legend(handles=patches, loc="outside upper center", ncols=3, fontsize=9)
    return figure


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    ranked = table.sort_values("pairs", ascending=False)
    shown = ", ".join(f"{p.latent} ({p.type}) {p.pairs}" for p in ranked.itertuples())
    return f"Over {table['snapshots'].iloc[0]} snapshots, most first: {shown}."
