"""How many variables of some types a run has."""

import pandas as pd

from latents.runs import per_run

TABLES = ("variables/{cell}",)


def read(variables: pd.DataFrame, *, types: list[str]) -> "pd.Series[float]":
    """None is a number too: 0."""
    return per_run(variables, "latent", types=types, take="count").fillna(0)
