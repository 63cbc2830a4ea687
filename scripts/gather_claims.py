"""The findings on several claims in one table, with p-values that know of each other."""

from pathlib import Path

import pandas as pd

from latents.claim import adjust_holm
from latents.claim_table import show
from latents.step import run
from latents.tables import read_table, write_table


def gather_claims(*, findings: list[Path], claims: Path, scale_name: str) -> None:
    """As they are, with Holm's values beside the raw ones; `scale_name` is recorded with them."""
    columns = ("claim", "statement", "effect", "low", "high", "p", "units", "verdict", "reason")
    table = pd.concat([read_table(path, columns) for path in findings], ignore_index=True)
    table.insert(table.columns.get_loc("p") + 1, "p_holm", adjust_holm(table["p"]))
    write_table(claims, table)
    print(show(table))


if __name__ == "__main__":
    run(gather_claims)
