"""Number of a run's variables of some types."""

import pandas as pd

from latents.claims.per_run import per_run

TABLES = ("variables/{cell}",)


def read(variables: pd.DataFrame, *, types: list[str]) -> "pd.Series[float]":
    """Return the number of variables per run; 0 if there are none."""
    return per_run(variables, "latent", types=types, take="count").fillna(0)
