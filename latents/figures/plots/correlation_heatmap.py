"""Correlations between the latents of one model, as a heat map (Fig 11)."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from latents.evaluation.covariance import correlation, covariance
from latents.figures.heatmap import draw_heatmap
from latents.figures.inputs import Inputs, Makers

INPUTS = ("representations",)
NEEDS = ("representation", "strength")  # keys of its rows


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Return one row per ordered pair of latents of the chosen model."""
    model = inputs.choose_model(("active", "passive"))
    matrix = correlation(covariance(model.representation.codes(row["representation"])))
    return pd.DataFrame(
        {
            **model.about,
            "latent": a,
            "type": model.types[a],
            "other": b,
            "other_type": model.types[b],
            "correlation": matrix[a, b],
        }
        for a in range(len(matrix))
        for b in range(len(matrix))
    )


def makers(point: dict[str, Any]) -> Makers:
    return "representations", {key: point[key] for key in ("cell", "strength", "seed")}


def draw(table: pd.DataFrame, row: dict[str, Any]) -> Figure:
    matrix = table.pivot(index="latent", columns="other", values="correlation").to_numpy()
    types = table.drop_duplicates("latent")["type"].tolist()
    return draw_heatmap(matrix, types, f"{row['subject']}, {row['representation']} representation")


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    others = table[table["latent"] != table["other"]]
    largest = (
        others.assign(size=others["correlation"].abs()).groupby(["latent", "type"])["size"].max()
    )
    by_type = largest.groupby("type").mean()
    shown = ", ".join(f"{kind} {value:.2f}" for kind, value in by_type.items())
    return f"Largest |correlation| with another latent, averaged: {shown}."
