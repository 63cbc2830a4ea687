"""Rank correlations between scores over all models of some cells."""

from pathlib import Path

import numpy as np
import pandas as pd

from latents.problem import Problem
from latents.rank_correlation import compare
from latents.step import run
from latents.tables import read_table, write_table

MODEL = ["cell", "strength", "seed"]


def correlate_scores(
    *,
    scores: list[Path],
    correlations: Path,
    rows: list[str],
    columns: list[str],
    representation: str,
    seed: int,
) -> None:
    """One row per pair: Spearman's rho, its interval, and the models that have both scores."""
    needed = (*MODEL, "source", "metric", "representation", "combination", "score")
    table = pd.concat([read_table(path, needed) for path in scores])
    mine = table[(table["representation"] == representation) & (table["combination"] == "full")]
    stems = {score.rstrip("0123456789") for score in table["metric"]}
    if unknown := {score for score in (*rows, *columns) if score.rstrip("0123456789") not in stems}:
        raise Problem(f"no table has the scores {', '.join(sorted(unknown))}")
    models = mine.pivot_table(index=MODEL, columns="metric", values="score")
    source = ", ".join(sorted(table["source"].unique()))
    none = pd.Series(np.nan, index=models.index)
    found = [
        {
            "source": source,
            "representation": representation,
            "row": row,
            "column": column,
            **compare(
                models.get(row, none).to_numpy(), models.get(column, none).to_numpy(), seed=seed
            ),
        }
        for row in rows
        for column in columns
    ]
    write_table(correlations, pd.DataFrame(found))


if __name__ == "__main__":
    run(correlate_scores)
