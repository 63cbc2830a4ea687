"""Compute rank correlations between scores over all models of some cells."""

from pathlib import Path

import numpy as np
import pandas as pd

from latents.evaluation.rank_correlation import compare
from latents.evaluation.tables import read_table, write_table
from latents.runtime.errors import Problem
from latents.runtime.step import run

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
    """Write one row per pair: Spearman's rho, its interval, and the number of models."""
    needed = (*MODEL, "source", "metric", "representation", "combination", "score")
    table = pd.concat([read_table(path, needed) for path in scores])
    chosen = table[(table["representation"] == representation) & (table["combination"] == "full")]
    stems = {score.rstrip("0123456789") for score in table["metric"]}
    if unknown := {score for score in (*rows, *columns) if score.rstrip("0123456789") not in stems}:
        raise Problem(f"no table has the scores {', '.join(sorted(unknown))}")
    models = chosen.pivot_table(index=MODEL, columns="metric", values="score")
    source = ", ".join(sorted(table["source"].unique()))
    none = pd.Series(np.nan, index=models.index)
    pairs = [
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
    write_table(correlations, pd.DataFrame(pairs))


if __name__ == "__main__":
    run(correlate_scores)
