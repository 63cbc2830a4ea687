"""Tidy tables: one row per number, CSV with the shortest exact decimals."""

from pathlib import Path

import pandas as pd

from latents.runtime.errors import Problem


def write_table(path: Path, table: pd.DataFrame) -> None:
    """Write a table as CSV."""
    if "study_index" in table:  # integers that may be missing
        table = table.astype({"study_index": "Int64"})
    table.to_csv(path, index=False, lineterminator="\n")


def read_table(path: Path, columns: tuple[str, ...]) -> pd.DataFrame:
    """Return a table, which must have at least these columns."""
    try:
        table = pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise Problem(f"{path} is not a readable table ({error})") from error
    if missing := [column for column in columns if column not in table]:
        raise Problem(f"{path} lacks the columns {', '.join(missing)}")
    return table
