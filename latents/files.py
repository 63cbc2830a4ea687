"""Files that are either whole or not there."""

import glob
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from latents.problem import Problem

PROCESS = uuid.uuid4().hex[:8]  # tells this process from all others, on whatever machine


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name beside `path`; what was written there becomes `path` if nothing failed."""
    temporary = own_partial_name(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path)
    try:
        yield temporary
        settle(temporary, path)
    finally:
        remove(temporary)


def partial_name(path: Path) -> Path:
    """In the same folder, so that renaming is atomic. For what a later process may go on with."""
    return path.with_name(f".partial.{path.name}")


def own_partial_name(path: Path) -> Path:
    """Such a name that no other process uses, so that two of them never write into one file."""
    return path.with_name(f".partial.{PROCESS}.{path.name}")


def remove_leftovers(path: Path) -> None:
    """What killed processes left half-written. One that lives fails when it renames its own."""
    for leftover in path.parent.glob(f".partial.*.{glob.escape(path.name)}"):
        remove(leftover)


def settle(temporary: Path, path: Path) -> None:
    """Flush a finished file to the disk, then give it its name."""
    if temporary.is_dir():
        remove(path)
    else:
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
    temporary.replace(path)


def only(paths: list[Path]) -> Path:
    """The one file there must be."""
    if len(paths) != 1:
        raise Problem(f"one file was expected, not {', '.join(map(str, paths)) or 'none'}")
    return paths[0]


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
