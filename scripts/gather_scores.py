"""The tables of all runs of a cell in one."""

from pathlib import Path
from typing import Any

import pandas as pd

from latents.step import run
from latents.tables import list_runs, read_table, write_table


def gather_scores(*, scored: list[Path], scores: Path, runs: dict[str, Any]) -> None:
    """As they are, with the columns that tell the runs apart."""
    tables = []
    for path, told in zip(scored, list_runs(**runs), strict=True):
        table = read_table(path, ())
        tables.append(pd.DataFrame([told] * len(table)).join(table))
    write_table(scores, pd.concat(tables))


if __name__ == "__main__":
    run(gather_scores)
