"""Histograms of one passive, one mixed and one active variable of one model (Figs 4, 5)."""

from string import ascii_lowercase as LETTERS
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from latents.figures.inputs import Inputs, Makers
from latents.figures.style import TYPE_COLOURS, panel_axes

INPUTS = ("representations",)
NEEDS = ("panels", "representation", "strength")  # keys of its rows
BINS = 20


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Return one row per bin of the chosen model's lowest latent of each type."""
    model = inputs.choose_model(tuple(panel["type"] for panel in row["panels"]))
    codes = model.representation.codes(row["representation"])
    rows = []
    for panel in row["panels"]:
        latent = model.first(panel["type"])
        common = {**model.about, "type": panel["type"], "latent": latent}
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
    figure, axes = panel_axes(len(panels))
    for letter, panel, axis in zip(LETTERS, panels, axes, strict=False):
        bins = table[table["type"] == panel["type"]]
        if bins["latent"].isna().all():
            axis.text(0.5, 0.5, f"no {panel['type']} variable", ha="center", fontsize=9)
            axis.set_axis_off()
        else:
            widths = bins["right"] - bins["left"]
            style: dict[str, Any] = {"color": TYPE_COLOURS[panel["type"]], "edgecolor": "white"}
            axis.bar(bins["left"], bins["count"], width=widths, align="edge", **style)
            axis.set_xlabel(f"latent {int(bins['latent'].iloc[0])}, {row['representation']}")
            axis.set_ylabel("Number of examples")
        axis.set_title(f"({letter}) {panel['title']}", fontsize=10)
    return figure


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    lines = []
    for point in table.drop_duplicates("type").itertuples():
        if pd.isna(point.latent):
            lines.append(f"No {point.type} variable.")
        else:
            lines.append(
                f"{point.type.capitalize()}, latent {int(point.latent)}: mean {point.mean:.3f}, "
                f"variance {point.variance:.3f}."
            )
    return "\n".join(lines)
