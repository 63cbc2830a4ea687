"""Records: what a job made, and from what.

Snakemake forgets with `.snakemake/`; these files do not. They are what staleness is judged by
(`engine/persistence.py`), what an audit walks (`provenance/audit.py`), and where the costs of
earlier runs are found. A job writes one record, into the folder `.records` beside its outputs. It
is named after the first of them; for the others, the records of the folder are searched.
"""

import hashlib
import json
import os
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from latents.runtime.errors import Problem

FOLDER = ".records"
MOMENT = 2 * 10**9  # ns in which a folder may change twice and keep its time
KEYS = {"step", "key", "job", "inputs", "outputs", "started", "seconds", "seal"}


def canonical(value: Any) -> str:
    """Return one text for one value: sorted keys, no spaces, and 1.0 is 1."""
    return json.dumps(_whole(value), sort_keys=True, separators=(",", ":"))


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def digest(path: Path) -> str:
    """Return the sha256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def content_digest(path: Path) -> str:
    """Return the digest of a file, or of a folder's files by their names."""
    if path.is_dir():
        inside = {file.name: digest(file) for file in path.iterdir()}
        return hashlib.sha256(canonical(inside).encode()).hexdigest()
    return digest(path)


def job_key(job: dict[str, Any], inputs: dict[str, str]) -> str:
    """Return the short name of a job on these very inputs: the same wherever it runs."""
    return hashlib.sha256(canonical({"job": job, "inputs": inputs}).encode()).hexdigest()[:16]


def sealed(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record with a digest of its content, so that an edited one shows."""
    content = {key: value for key, value in record.items() if key != "seal"}
    return {**content, "seal": hashlib.sha256(canonical(content).encode()).hexdigest()}


def is_untouched(record: dict[str, Any]) -> bool:
    """Return whether the seal fits, and the key that names job and inputs."""
    if sealed(record)["seal"] != record["seal"]:
        return False
    return bool(record["key"] == job_key(record["job"], record["inputs"]))


def record_path(first: Path) -> Path:
    """Return where a job writes its record, given the first of its outputs."""
    return first.parent / FOLDER / f"{first.name}.json"


def is_record(path: str) -> bool:
    """Return whether a path is that of a record; one that is still being written is hidden."""
    folder, name = os.path.split(path)
    return os.path.basename(folder) == FOLDER and name.endswith(".json") and name[0] != "."


def find_record(artefact: Path) -> Path | None:
    """Return the path of the record of the job that made an artefact; None if there is none."""
    own = record_path(artefact)
    try:
        return own if _is_there(own) else _record_of_sibling(artefact)
    except OSError as error:  # a file system that fails is no reason to make anything again
        raise Problem(f"{own.parent} cannot be read ({error.strerror}); try again") from error


def _is_there(path: Path) -> bool:
    """Return whether a path exists; unlike `Path.exists`, raise if that cannot be known."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _record_of_sibling(artefact: Path) -> Path | None:
    """Return the first record of the folder that names the artefact among its outputs."""
    folder = artefact.parent / FOLDER
    try:
        changed = folder.stat().st_mtime_ns
        settled = time.time_ns() - changed > MOMENT
        index = _records_by_output if settled else _records_by_output.__wrapped__
        name = index(str(folder), changed).get(artefact.name)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return folder / name if name else None


@cache
def _records_by_output(folder: str, changed: int) -> dict[str, str]:
    """Return the names of a folder's records by the names of all outputs that they tell of.

    Records are replaced, never written to, so that the folder's time changes with each of them.
    """
    found: dict[str, str] = {}
    for path in sorted(os.path.join(folder, name) for name in os.listdir(folder)):
        record = load_record(Path(path)) if is_record(path) else None
        for output in record["outputs"] if record else []:
            found.setdefault(os.path.basename(output), os.path.basename(path))
    return found


def load_record(path: Path) -> dict[str, Any] | None:
    """Return the content of a record; None if it is missing or damaged."""
    try:
        record = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:
        raise Problem(f"{path} cannot be read ({error.strerror}); try again") from error
    whole = isinstance(record, dict) and set(record) >= KEYS and isinstance(record["outputs"], dict)
    return record if whole else None


def read_record(artefact: Path) -> dict[str, Any] | None:
    """Return the record of the job that made an artefact; None if it is missing or damaged."""
    path = find_record(artefact)
    return None if path is None else load_record(path)


def forget(artefact: Path) -> None:
    """Remove every record that tells how an artefact was made, so that it counts as stale."""
    while path := find_record(artefact):
        path.unlink(missing_ok=True)


def verified_digest(path: Path) -> str:
    """Return the digest of an input, which is refused where its record knows another one."""
    try:
        found = content_digest(path)
    except OSError as error:
        raise Problem(f"cannot read {path} ({error.strerror})") from error
    record = read_record(path)
    if record and record["outputs"].get(str(path), found) != found:
        raise Problem(
            f"{path} is not what its record says was written there (truncated or edited); "
            "delete it and run the same command again"
        )
    return found


def is_dropped(artefact: Path) -> bool:
    """Return whether an expendable file was deleted; its record stands for it."""
    record = read_record(artefact)
    return bool(record and record.get("expendable")) and not artefact.exists()


def all_records(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the records below a folder, each with the path of the output it is named after."""
    for place in ("results", "figures"):
        for path in sorted((folder / place).rglob(f"{FOLDER}/*.json")):
            if is_record(str(path)) and (record := load_record(path)):
                yield path.parent.with_name(path.stem).relative_to(folder), record
