"""A traced point of a figure, as text."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from latents.provenance.trace import KEYS, Origin, Point
from latents.runtime.record import read_record


def describe(point: Point, folder: Path) -> Iterator[str]:
    """Yield the point, the runs behind it, and the record of each of their files."""
    yield ", ".join(f"{key} {value}" for key, value in point.row.items() if not pd.isna(value))
    for origin in point.origins:
        yield f"  {_row(origin)}"
        for path in origin.artefacts:
            record = read_record(folder / path)
            mark = f"record {record['identifier']}" if record else "no record"
            yield f"    {path}  {mark}"
    if not point.agrees:
        yield f"  these rows give {point.again}, which is not what the figure shows"


def _row(origin: Origin) -> str:
    if origin.table is None:
        return "the representation itself"
    told = ", ".join(f"{key} {origin.told[key]}" for key in ("score", "rows") if key in origin.told)
    run = ", ".join(f"{key} {origin.told[key]}" for key in KEYS)
    return f"{origin.table}: {run}: {told}"
