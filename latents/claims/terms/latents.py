"""A statistic of a run's latents of some types, as one number."""

import pandas as pd

from latents.claims.per_run import per_run

TABLES = ("latents/{cell}",)


def read(latents: pd.DataFrame, *, column: str, types: list[str], take: str) -> "pd.Series[float]":
    """Return one number per run from a column of the table of latents."""
    return per_run(latents, column, types=types, take=take)
