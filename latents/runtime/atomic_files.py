"""Files that are either complete or absent."""

import glob
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from latents.runtime.errors import Problem


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; what is written there becomes `path` on success."""
    temporary = own_partial_name(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path)
    try:
        yield temporary
        settle(temporary, path)
    finally:
        remove(temporary)


def partial_name(path: Path) -> Path:
    """Return a temporary name in the same folder, from which a later process can go on."""
    return path.with_name(f".partial.{path.name}")


def own_partial_name(path: Path) -> Path:
    """Return a temporary name that no other process uses."""
    return path.with_name(f".partial.{process_name()}.{path.name}")


@cache
def process_name() -> str:
    """Return a name that tells this process from all others, on whatever machine."""
    return uuid.uuid4().hex[:8]


def remove_leftovers(path: Path) -> None:
    """Remove files that killed processes left half-written.

    A process that is still alive fails when it renames its own.
    """
    for leftover in path.parent.glob(f".partial.*.{glob.escape(path.name)}"):
        remove(leftover)


def settle(temporary: Path, path: Path) -> None:
    """Flush a finished file to the disk, then rename it."""
    if temporary.is_dir():
        remove(path)
    else:
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
    temporary.replace(path)


def only(paths: list[Path]) -> Path:
    """Return the only path of a list; raise if there are more or none."""
    if len(paths) != 1:
        raise Problem(f"one file was expected, not {', '.join(map(str, paths)) or 'none'}")
    return paths[0]


def remove(path: Path) -> None:
    """Remove a file or folder, if it exists."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
