"""Test one claim of a paper on the tables it is about."""

from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from latents.claim import examine, tabulate_runs
from latents.finding import Standards
from latents.step import run
from latents.tables import read_table, write_table

TOLD = ("paper", "statement", "cell", "test", "expected_from")


def check_claim(
    *,
    tables: list[Path],
    finding: Path,
    claim: str,
    row: dict[str, Any],
    table_names: list[str],
    scale_name: str,
    expected: bool,
    standards: dict[str, Any],
) -> None:
    """One row: the claim, what was found, and whether this scale could be expected to show it."""
    named = dict(zip(table_names, tables, strict=True))
    read = {name: read_table(path, ("strength", "seed")) for name, path in named.items()}
    terms = {name: read_term(term, row["cell"], read) for name, term in row["terms"].items()}
    chosen = {key: row[key] for key in ("value", "against", "strengths") if key in row}
    judge = import_module(f"latents.claims.{row['test']}").judge
    runs = tabulate_runs(terms, **chosen)
    found = examine(runs, Standards(**standards), judge, row["arguments"])
    sources = sorted({s for t in read.values() if "source" in t for s in t["source"].unique()})
    told = {"claim": claim, "scale": scale_name, "source": ", ".join(sources)}
    told |= {key: row[key] for key in TOLD} | {"expected": expected}
    write_table(finding, pd.DataFrame([told | asdict(found)]))


def read_term(term: dict[str, Any], cell: str, read: dict[str, pd.DataFrame]) -> "pd.Series[float]":
    """One number per run, from the tables that its kind of term needs."""
    options = {key: value for key, value in term.items() if key != "of"}
    module = import_module(f"latents.terms.{term['of']}")
    needed = [read[table.format(cell=cell, **options)] for table in module.TABLES]
    return module.read(*needed, **options)


if __name__ == "__main__":
    run(check_claim)
