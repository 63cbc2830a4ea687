"""What is known of a run's latents of some types, as one number."""

import pandas as pd

from latents.runs import per_run

TABLES = ("latents/{cell}",)


def read(latents: pd.DataFrame, *, column: str, types: list[str], take: str) -> "pd.Series[float]":
    return per_run(latents, column, types=types, take=take)
