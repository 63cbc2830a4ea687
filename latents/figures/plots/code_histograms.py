"""Histograms of one passive, one mixed and one active variable of one model (Figs 4, 5)."""

from string import ascii_lowercase as LETTERS
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from latents.figures.inputs import Inputs, Makers
from latents.figures.style import PANEL

INPUTS = ("representations",)
NEEDS = ("panels", "representation", "strength")  # keys of its rows
BINS = 20


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Return one row per bin of the model and latents that `choose_model` chooses."""
    model, source = inputs.choose_model()
    codes = model.representation.codes(row["representation"])
    rows = []
    for panel in row["panels"]:
        latent = model.first(panel["type"])
        common = {"source": source, **model.run, "type": panel["type"], "latent": latent}
        if latent is None:
            rows.append(common)
            continue
        code = codes[:, latent].astype(np.float64)
        counts, edges = np.histogram(code, BINS)
        common |= {"mean": code.mean(), "variance": code.var()}
        for count, left, right in zip(counts, edges[:-1], edges[1:], strict=True):
            rows.append({**common, "left": left, "right": right, "count": count})
    return pd.DataFrame(rows)


def makers(point: dict[str, Any]) -> Makers:
    return "representations", {key: point[key] for key in ("cell", "strength", "seed")}


def draw(table: pd.DataFrame, row: dict[str, Any]) -> Figure:
    panels = row["panels"]
    figure = Figure(figsize=(PANEL[0] * len(panels), PANEL[1]), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for letter, panel, axis in zip(LETTERS, panels, axes, strict=False):
        bins = table[table["type"] == panel["type"]]
        if bins["latent"].isna().all():
            axis.text(0.5, 0.5, f"no variable of type {panel['type']}", ha="center", fontsize=8)
            axis.set_axis_off()
        else:
            widths = bins["right"] - bins["left"]
            axis.bar(bins["left"], bins["count"], width=widths, align="edge", edgecolor="white")
            axis.set_xlabel(f"latent {int(bins['latent'].iloc[0])}, {row['representation']}")
            axis.set_ylabel("Examples" if letter == "a" else "")
        axis.set_title(f"({letter}) {panel['title']}", fontsize=10)
    return figure


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    latents = table.drop_duplicates("type")
    run = latents.iloc[0]
    lines = [f"Shown: seed {run['seed']}, the lowest one with a variable of every type."]
    for point in latents.itertuples():
        if pd.isna(point.latent):
            lines.append(f"No {point.type} variable.")
        else:
            lines.append(
                f"{point.type.capitalize()}, latent {int(point.latent)}: mean {point.mean:.3f}, "
                f"variance {point.variance:.3f}."
            )
    return "\n".join(lines)
