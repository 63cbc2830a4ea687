"""Tidy tables: one row per number, CSV with the shortest exact decimals."""

from pathlib import Path
from typing import Any

import pandas as pd

from latents.problem import Problem
from latents.study import find_index


def list_runs(
    cell: str, dataset: str, study_method: str | None, strengths: list[float], seeds: int
) -> list[dict[str, Any]]:
    """The columns that tell the runs of a cell apart, strengths first, seeds fastest.

    `study_index` is the number of the same run in unsupervised_study_v1, where it has one.
    """
    runs = [(strength, seed) for strength in strengths for seed in range(seeds)]
    numbers = [find_index(dataset, study_method, *run) for run in runs]
    return [
        {"cell": cell, "strength": strength, "seed": seed, "study_index": number}
        for (strength, seed), number in zip(runs, numbers, strict=True)
    ]


def write_table(path: Path, table: pd.DataFrame) -> None:
    if "study_index" in table:  # a number that may be missing stays a whole number
        table = table.astype({"study_index": "Int64"})
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
