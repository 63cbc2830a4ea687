"""Which score rows, representations and checkpoints made a point of a figure?

python scripts/trace.py figures/fig9.csv panel=a strength=50 representation=mean
"""

import argparse
import sys
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.problem import Problem
from latents.record import read_record
from latents.trace import KEYS, Origin, Point, trace


def main() -> int:
    parser = argparse.ArgumentParser(prog="trace.py", description=__doc__.splitlines()[0])
    parser.add_argument("table", type=Path, help="the table of a figure, or a copy of it")
    parser.add_argument("where", nargs="*", metavar="column=value", help="which of its rows")
    parser.add_argument("--directory", type=Path, default=Path(), help="the folder of results/")
    given = parser.parse_args()
    if wrong := [text for text in given.where if "=" not in text]:
        raise Problem(f"{wrong[0]} is not of the form column=value")
    where = dict(text.split("=", 1) for text in given.where)
    points = list(trace(given.table, where, given.directory))
    for point in points:
        show(point, given.directory)
    return 0 if all(point.agrees for point in points) else 1


def show(point: Point, folder: Path) -> None:
    print(", ".join(f"{k} {v}" for k, v in point.row.items() if not pd.isna(v)))
    for origin in point.origins:
        print(f"  {_told(origin)}")
        for path in origin.artefacts:
            record = read_record(folder / path)
            mark = f"  record {record['identifier']}" if record else "  no record"
            print(f"    {path}{mark}")
    if not point.agrees:
        print(f"  these rows give {point.again}, which is not what the figure shows")


def _told(origin: Origin) -> str:
    if origin.table is None:
        return "the representation itself"
    told = ", ".join(f"{key} {origin.told[key]}" for key in ("score", "rows") if key in origin.told)
    run = ", ".join(f"{key} {origin.told[key]}" for key in KEYS)
    return f"{origin.table}: {run}: {told}"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Problem as problem:
        sys.exit(f"trace: {problem}")
