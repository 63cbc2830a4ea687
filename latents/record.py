"""The record beside every artefact: what it is, and from what it was made.

Snakemake forgets with `.snakemake/`; these files do not. They are what staleness is judged by
(see `latents/staleness.py`), what an audit walks (`latents/audit.py`), and where `make why` finds
the cost of earlier runs.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from latents.problem import Problem

SUFFIX = ".record.json"
KEYS = {"step", "key", "job", "inputs", "outputs", "started", "seconds", "seal"}


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


def job_key(job: dict[str, Any], inputs: dict[str, str]) -> str:
    """Short name of a job on these very inputs: the same for every run of it, anywhere."""
    return hashlib.sha256(canonical({"job": job, "inputs": inputs}).encode()).hexdigest()[:16]


def sealed(record: dict[str, Any]) -> dict[str, Any]:
    """The record with a digest of all that it says, so that an edited one shows."""
    content = {key: value for key, value in record.items() if key != "seal"}
    return {**content, "seal": hashlib.sha256(canonical(content).encode()).hexdigest()}


def is_untouched(record: dict[str, Any]) -> bool:
    """Its seal fits, and so does the key that names job and inputs."""
    if sealed(record)["seal"] != record["seal"]:
        return False
    return bool(record["key"] == job_key(record["job"], record["inputs"]))


def record_path(artefact: Path) -> Path:
    return artefact.with_name(artefact.name + SUFFIX)


def read_record(artefact: Path) -> dict[str, Any] | None:
    """The record of an artefact, or None where there is none that can be read."""
    try:
        record = json.loads(record_path(artefact).read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:  # a file system that fails is no reason to make anything again
        path = record_path(artefact)
        raise Problem(f"{path} cannot be read ({error.strerror}); try again") from error
    return record if isinstance(record, dict) and set(record) >= KEYS else None


def is_dropped(artefact: Path) -> bool:
    """Gone, as it was made to be once it was used; its record stands for it."""
    record = read_record(artefact)
    return bool(record and record.get("expendable")) and not artefact.exists()


def all_records(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every artefact below a folder that has a record, by its path from there."""
    for place in ("results", "figures"):
        for path in sorted((folder / place).rglob(f"*{SUFFIX}")):
            artefact = path.with_name(path.name.removesuffix(SUFFIX))
            if record := read_record(artefact):
                yield artefact.relative_to(folder), record
