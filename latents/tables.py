"""Tidy tables: one row per number, CSV with the shortest exact decimals."""

from pathlib import Path
from typing import Any

import pandas as pd

from latents.problem import Problem


def list_runs(cell: str, strengths: list[float], seeds: int) -> list[dict[str, Any]]:
    """The columns that tell the runs of a cell apart, strengths first, seeds fastest."""
    return [
        {"cell": cell, "strength": strength, "seed": seed}
        for strength in strengths
        for seed in range(seeds)
    ]


def write_table(path: Path, table: pd.DataFrame) -> None:
    table.to_csv(path, index=False, lineterminator="\n")


def read_table(path: Path, columns: tuple[str, ...]) -> pd.DataFrame:
    """A table that has at least these columns."""
    try:
        table = pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise Problem(f"{path} is not a readable table ({error})") from error
    if missing := [column for column in columns if column not in table]:
        raise Problem(f"{path} lacks the columns {', '.join(missing)}")
    return table
