"""The record beside every artefact: what it is, and from what it was made.

Snakemake forgets with `.snakemake/`; these files do not. They are what staleness is judged by
(see `latents/staleness.py`) and where `make why` finds the cost of earlier runs.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

SUFFIX = ".record.json"
KEYS = {"step", "key", "job", "inputs", "outputs", "started", "seconds"}


def canonical(value: Any) -> str:
    """One text for one value: sorted keys, no spaces, and 1.0 is 1."""
    return json.dumps(_whole(value), sort_keys=True, separators=(",", ":"))


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def digest(path: Path) -> str:
    """sha256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def record_path(artefact: Path) -> Path:
    return artefact.with_name(artefact.name + SUFFIX)


def read_record(artefact: Path) -> dict[str, Any] | None:
    """The record of an artefact, or None where there is none that can be read."""
    path = record_path(artefact)
    try:
        return _parse(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        return None


@cache
def _parse(path: Path, _mtime: int) -> dict[str, Any] | None:
    record = json.loads(path.read_text())
    return record if isinstance(record, dict) and set(record) >= KEYS else None
