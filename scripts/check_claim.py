"""Test one claim of a paper on the tables it is about."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from latents.claims.examination import examine, tabulate_runs
from latents.claims.finding import Standards
from latents.evaluation.tables import read_table, write_table
from latents.runtime.plugins import load
from latents.runtime.step import run

COPIED = ("paper", "statement", "cell", "test", "expected_from")


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
    """Write one row: the claim, its finding, and whether it is expected to show at this scale."""
    paths = dict(zip(table_names, tables, strict=True))
    read = {name: read_table(path, ("strength", "seed")) for name, path in paths.items()}
    terms = {name: read_term(term, row["cell"], read) for name, term in row["terms"].items()}
    chosen = {key: row[key] for key in ("value", "against", "strengths") if key in row}
    judge = load("claims/criteria", row["test"]).judge
    runs = tabulate_runs(terms, **chosen)
    result = examine(runs, Standards(**standards), judge, row["arguments"])
    sources = sorted({s for t in read.values() if "source" in t for s in t["source"].unique()})
    common = {"claim": claim, "scale": scale_name, "source": ", ".join(sources)}
    common |= {key: row[key] for key in COPIED} | {"expected": expected}
    write_table(finding, pd.DataFrame([common | asdict(result)]))


def read_term(term: dict[str, Any], cell: str, read: dict[str, pd.DataFrame]) -> "pd.Series[float]":
    """Return one number per run, from the tables that the kind of term needs."""
    options = {key: value for key, value in term.items() if key != "of"}
    module = load("claims/terms", term["of"])
    needed = [read[table.format(cell=cell, **options)] for table in module.TABLES]
    return module.read(*needed, **options)


if __name__ == "__main__":
    run(check_claim)
