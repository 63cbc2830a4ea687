"""Gather the tables of all runs of a cell in one."""

from pathlib import Path
from typing import Any

import pandas as pd

from latents.evaluation.runs import list_runs
from latents.evaluation.tables import read_table, write_table
from latents.runtime.step import run


def gather_scores(*, scored: list[Path], scores: Path, runs: dict[str, Any]) -> None:
    """Write all rows, with the columns that identify the run."""
    tables = []
    for path, run_ in zip(scored, list_runs(**runs), strict=True):
        table = read_table(path, ())
        tables.append(pd.DataFrame([run_] * len(table)).join(table))
    write_table(scores, pd.concat(tables))


if __name__ == "__main__":
    run(gather_scores)
