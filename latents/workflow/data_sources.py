"""Source of a dataset's images: the published files, or a stand-in."""

import csv
import hashlib
from pathlib import Path
from typing import Any

from latents.runtime.errors import Problem
from latents.runtime.record import digest

Row = dict[str, Any]
ORIGINAL, TWIN = "original", "twin"


def choose_source(name: str, row: Row, wish: str, folder: Path, has_twin: bool) -> str:
    """Return `original` or `twin`; `auto` is the original where its files exist.

    Only an explicit wish for the original downloads anything.
    """
    if wish == TWIN and not has_twin:
        raise Problem(f"data_source: {name} has no twin; {_how_to_get(row, folder)}")
    there = is_there(row, folder)
    if wish == TWIN or (wish == "auto" and not there and has_twin):
        return TWIN
    if not there and wish == "auto":
        raise Problem(f"{name} is not there and has no twin; {_how_to_get(row, folder)}")
    if not there and not any("url" in file for file in chosen_files(row, folder)):
        raise Problem(f"data_source: {name} cannot be downloaded; {_how_to_get(row, folder)}")
    return ORIGINAL


def is_there(row: Row, folder: Path) -> bool:
    return all((folder / file["file"]).exists() for file in chosen_files(row, folder))


def chosen_files(row: Row, folder: Path) -> list[Row]:
    """Return the files of a dataset; where one is enough, the first that exists."""
    files: list[Row] = row["originals"]
    if not row.get("one_is_enough"):
        return files
    return [next((f for f in files if (folder / f["file"]).exists()), files[0])]


def _how_to_get(row: Row, folder: Path) -> str:
    places = ", ".join(str(folder / file["file"]) for file in chosen_files(row, folder))
    download = any("url" in file for file in row["originals"])
    return f"put {places} there" + (" or download with data_source=original" if download else "")


def listing_digest(table: Path) -> str:
    """Return a digest of names and contents of the pictures in a table's column `file`."""
    found = hashlib.sha256()
    with table.open(newline="") as lines:
        for row in csv.DictReader(lines):
            picture = table.parent / (row.get("file") or "")
            content = digest(picture) if picture.is_file() else "missing"
            found.update(f"{row.get('file')} {content}\n".encode())
    return found.hexdigest()
