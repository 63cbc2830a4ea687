"""From a point of a figure back to its sources: rows of tables, representations, checkpoints."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Any

import pandas as pd

from latents.provenance.audit import locate
from latents.runtime.errors import Problem
from latents.runtime.plugins import load
from latents.runtime.record import read_record

KEYS = ["cell", "strength", "seed"]
RUN = re.compile(r"([^/]+)/strength_([^/]+)/seed_(\d+)")
TOLD = ["figure", "scale", "source"]  # columns that every table of a figure has
Row = dict[str, Any]


@dataclass(frozen=True)
class Origin:
    """One run behind a point: its row in a table, and the files before it."""

    told: Row  # the row of the table; empty for a figure that reads representations itself
    table: str | None
    artefacts: list[str]  # of this run, nearest first


@dataclass(frozen=True)
class Point:
    """A row of a figure's table with all that it was made from."""

    row: Row
    origins: list[Origin]
    again: float | None  # its mean, computed anew from the rows; None where it is no mean

    @property
    def agrees(self) -> bool:
        shown = self.row.get("mean")
        if self.again is None or (pd.isna(shown) and pd.isna(self.again)):
            return True
        return isclose(self.again, float(str(shown)), rel_tol=1e-9, abs_tol=1e-12)


def trace(table: Path, where: dict[str, str], folder: Path) -> Iterator[Point]:
    """Yield the points of a figure's table that `where` (columns, values as text) allows."""
    path = locate(table, folder)
    record = _record(path, folder)
    if record["step"] == "publish_figure":
        path = next(name for name in record["inputs"] if name.endswith(".csv"))
        record = _record(path, folder)
    if record["step"] != "draw_figure" or not path.endswith(".csv"):
        raise Problem(f"{table} is not the table of a figure")
    plot = load("figures/plots", record["job"]["values"]["row"]["plot"])
    if not plot.INPUTS:
        raise Problem(f"{table} is that of a diagram, which shows no data")
    points = _filter(pd.read_csv(folder / path), where, path)
    for row in points.drop(columns=TOLD).to_dict("records"):
        kind, conditions = plot.makers(row)
        origins = list(_origins(kind, conditions, record["inputs"], folder))
        yield Point({str(k): v for k, v in row.items()}, origins, _again(kind, origins))


def _record(path: str, folder: Path) -> Row:
    record = read_record(folder / path)
    if record is None:
        raise Problem(f"nothing records how {path} was made")
    return record


def _filter(table: pd.DataFrame, where: dict[str, str], path: str) -> pd.DataFrame:
    for column, value in where.items():
        if column not in table:
            known = ", ".join(c for c in table.columns if c not in TOLD)
            raise Problem(f"{path} has no column {column}; it has {known}")
        same = table[column].map(lambda found, value=value: _same(found, value))
        if not same.any():
            found = ", ".join(map(str, table[column].unique()[:12]))
            raise Problem(f"{path} has no such point: {column} is {found}, not {value}")
        table = table[same]
    return table


def _same(found: Any, value: Any) -> bool:
    """Return whether two values are equal: 2, 2.0 and "2" are the same strength."""
    try:
        return float(found) == float(value)
    except (TypeError, ValueError):
        return str(found) == str(value)


def _origins(kind: str, conditions: Row, inputs: Row, folder: Path) -> Iterator[Origin]:
    paths = [path for path in inputs if f"/{kind}/" in path]
    if kind == "representations":
        run = tuple(conditions[key] for key in KEYS)
        mine = [path for path in paths if _is_of(path, run)]
        yield from (Origin({}, None, _above(path, run, folder)) for path in mine)
    for path in paths if kind != "representations" else []:
        for row in _rows(kind, conditions, folder / path):
            run = tuple(row[key] for key in KEYS)
            yield Origin(row, path, _above(path, run, folder))


def _rows(kind: str, conditions: Row, path: Path) -> list[Row]:
    """Return the matching rows; of tables with many rows per run, one per run with their number."""
    table = pd.read_csv(path)
    wanted = pd.Series(True, index=table.index)
    for column, value in conditions.items():
        same = table[column].map(lambda found, value=value: _same(found, value)).astype(bool)
        if column in KEYS:
            table, wanted = table[same], wanted[same]
        else:
            wanted = wanted & same[wanted.index]
    if kind == "scores":
        return [{str(k): v for k, v in row.items()} for row in table[wanted].to_dict("records")]
    counted = table.assign(rows=wanted).groupby(KEYS, as_index=False)["rows"].sum()
    return [{str(k): v for k, v in row.items()} for row in counted.to_dict("records")]


def _above(path: str, run: tuple[Any, ...], folder: Path) -> list[str]:
    """Return the artefacts of one run among all that a file was made from, with the checkpoint."""
    found: list[str] = []
    waiting = [path]
    while waiting:
        name = waiting.pop(0)
        record = read_record(folder / name) or {"inputs": {}, "outputs": {}}
        if _is_of(name, run) and name not in found:
            beside = [n for n in record["outputs"] if n != name and n.endswith(".safetensors")]
            found += [name, *beside]
        inputs = [i for i in record["inputs"] if i not in waiting]
        waiting += [i for i in inputs if not RUN.search(i) or _is_of(i, run)]
    return found


def _is_of(path: str, run: tuple[Any, ...]) -> bool:
    match = RUN.search(path)
    return match is not None and all(_same(a, b) for a, b in zip(match.groups(), run, strict=True))


def _again(kind: str, origins: list[Origin]) -> float | None:
    """Return a point's mean from its rows: of scores, or of the numbers of variables per run."""
    column = {"scores": "score", "variables": "rows"}.get(kind)
    if column is None:
        return None
    return float(pd.Series([origin.told[column] for origin in origins], dtype=float).mean())
