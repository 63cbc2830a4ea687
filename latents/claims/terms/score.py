"""A run's score of a metric, on one representation and combination of variables."""

import pandas as pd

from latents.claims.per_run import RUN

TABLES = ("scores/{cell}/{metric}",)


def read(
    scores: pd.DataFrame, *, metric: str, representation: str, combination: str
) -> "pd.Series[float]":
    """Return one score per run; of a downstream task, that from the most training examples."""
    named = scores[scores["metric"] == _name(scores, metric)]
    chosen = named[
        (named["representation"] == representation) & (named["combination"] == combination)
    ]
    every_run = scores.groupby(RUN).size().index
    return chosen.set_index(RUN)["score"].reindex(every_run)


def _name(scores: pd.DataFrame, metric: str) -> str:
    prefix = f"{metric}_accuracy_"
    names = [name for name in scores["metric"].unique() if name.startswith(prefix)]
    return max(names, key=lambda name: int(name.removeprefix(prefix)), default=metric)
