"""What the records in a folder say, read once for a plan.

Every file and every record is looked at once per plan, and of a record only what decides is kept,
so that thousands of models take seconds.
"""

import base64
import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from latents.runtime.environment import COUNTING, other_versions
from latents.runtime.errors import Problem
from latents.runtime.record import canonical, digest, find_record, load_record


@dataclass(frozen=True, slots=True)
class Remembered:
    """What decides whether an artefact is stale, and what a report shows of its job."""

    job: str
    inputs: dict[str, str]
    outputs: dict[str, str]
    also_read: dict[str, str]
    other_versions: bool  # of packages, where that counts
    report: dict[str, Any]


@cache
def remembered(name: str) -> Remembered | None:
    """Return what the record of an artefact says; None without one that makes sense."""
    try:
        path = find_record(Path(name))
        return None if path is None else _content(path)
    except Problem as problem:
        sys.exit(str(problem))


@cache
def _content(path: Path) -> Remembered | None:
    """Return what a record says; it is read once for all outputs of its job."""
    record = load_record(path)
    if record is None:
        return None
    try:
        return Remembered(
            canonical(record["job"]),
            dict(record["inputs"]),
            dict(record["outputs"]),
            dict(record["also_read"]),
            bool(os.environ.get(COUNTING) and other_versions(record["environment"])),
            _for_reports(record),
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _for_reports(record: dict[str, Any]) -> dict[str, Any]:
    """Return what a report shows of a job: when it ran, how long, and on which packages."""
    started = datetime.fromisoformat(record["started"]).timestamp()
    versions = {"python": record["environment"]["python"], **record["environment"]["packages"]}
    return {
        "job_hash": hash(record["key"]),
        "starttime": started,
        "endtime": started + record["seconds"],
        "conda_env": _software(tuple(versions.items())),
    }


@cache
def _software(versions: tuple[tuple[str, str], ...]) -> str:
    """Return versions in the form in which Snakemake keeps a job's software."""
    listed = {"dependencies": [f"{name} {version}" for name, version in versions]}
    return base64.b64encode(json.dumps(listed).encode()).decode()


def is_consistent(name: str, known: Remembered) -> bool:
    """Return whether an artefact has all its siblings, and its inputs are still the same.

    A missing file (deleted, or dropped once it was used) is judged by its record alone. Further
    files that the job read may be missing, but not changed.
    """
    if known.other_versions:
        return False
    if os.path.exists(name) and not all(map(os.path.exists, known.outputs)):
        return False
    also_read = {name: found for name, found in known.also_read.items() if os.path.exists(name)}
    compared = {**known.inputs, **also_read}
    return all(current_digest(name) in (None, found) for name, found in compared.items())


@cache
def current_digest(name: str) -> str | None:
    """Return the recorded digest; hash the user's own files; None for folders."""
    known = remembered(name)
    recorded = known.outputs.get(name) if known else None
    if recorded or not os.path.isfile(name):
        return recorded
    return digest(Path(name))


@cache
def refuse_damaged(name: str) -> None:
    """End the workflow before anything runs on a file that was changed after it was made.

    A file is hashed only if it is newer than its record, and not in the next plan again, unless a
    file of the same job was changed.
    """
    known = remembered(name)
    if known is None or not os.path.isfile(name) or not is_newer_than_record(name):
        return
    there = filter(os.path.isfile, {name, *known.outputs})
    newer = {path: os.stat(path).st_mtime_ns for path in there if is_newer_than_record(path)}
    changed = [path for path in newer if digest(Path(path)) != known.outputs.get(path)]
    if name in changed:
        sys.exit(
            f"{name} is not what its record says was written there (truncated or edited); "
            "delete it and run the same command again"
        )
    if not changed:
        date_record(name, max(newer.values()))


def is_newer_than_record(name: str) -> bool:
    """Return whether a file was written after its record; true if either is missing."""
    try:
        record = find_record(Path(name))
        return record is None or os.stat(name).st_mtime_ns > record.stat().st_mtime_ns
    except (OSError, Problem):
        return True


def date_record(name: str, written: int) -> None:
    """Make a record as old as the newest of its files, which are known to be what it says."""
    with suppress(OSError, Problem):  # a folder that cannot be read or written to
        if record := find_record(Path(name)):
            os.utime(record, ns=(written, written))


def forget() -> None:
    """Forget what was read, because files may have changed since."""
    for reading in (remembered, _content, current_digest, refuse_damaged):
        reading.cache_clear()
