"""One number per run, from tables with a row per run and latent."""

import pandas as pd

RUN = ["strength", "seed"]
TAKES = {"mean": "mean", "least": "min", "most": "max", "farthest": "max", "count": "count"}


def per_run(table: pd.DataFrame, column: str, *, types: list[str], take: str) -> "pd.Series[float]":
    """Return a column's mean, least, most or count over a run's latents of the types, or NaN.

    `farthest` is the largest absolute value.
    """
    values = table[column].abs() if take == "farthest" else table[column]
    chosen = table.assign(taken=values)[table["type"].isin(types)]
    numbers = chosen.groupby(RUN)["taken"].agg(TAKES[take])
    return numbers.reindex(table.groupby(RUN).size().index).astype(float)
