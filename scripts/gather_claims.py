"""Gather the findings on several claims in one table, with p-values adjusted for their number."""

from pathlib import Path

import pandas as pd

from latents.claims.examination import adjust_holm
from latents.claims.table import show
from latents.evaluation.tables import read_table, write_table
from latents.runtime.step import run


def gather_claims(*, findings: list[Path], claims: Path, scale_name: str) -> None:
    """Write all findings, with Holm's values beside the raw ones; `scale_name` is only recorded."""
    columns = ("claim", "statement", "effect", "low", "high", "p", "units", "verdict", "reason")
    table = pd.concat([read_table(path, columns) for path in findings], ignore_index=True)
    table.insert(table.columns.get_loc("p") + 1, "p_holm", adjust_holm(table["p"]))
    write_table(claims, table)
    print(show(table))


if __name__ == "__main__":
    run(gather_claims)
