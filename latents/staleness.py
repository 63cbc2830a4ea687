"""Records instead of modification times: how Snakemake is told what is stale.

Imported by the rules only. A plan is a look at one moment: every file and every record is looked
at once, and of a record only what decides is kept, so that thousands of models take seconds.
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

from latents.problem import Problem
from latents.record import canonical, digest, read_record, record_path

STALE = "not what its record says"


@dataclass(frozen=True, slots=True)
class Remembered:
    """What decides whether an artefact is stale, and what a report shows of its job."""

    job: str
    inputs: dict[str, str]
    outputs: dict[str, str]
    also_read: dict[str, str]
    report: dict[str, Any]


def remember_by_records() -> None:
    """Let Snakemake look up how a file was made in the file's own record.

    Its rerun triggers (params, input, checksums against mtimes) then work unchanged, but survive
    the loss of `.snakemake/`, a copy to another clone, and any change of modification times.
    """
    from snakemake.persistence import RECORD_FORMAT_VERSION, MetadataRecord, PersistenceBase

    class Unrecorded(MetadataRecord):  # type: ignore[misc]
        """Of a file without a record: stale, and nothing that a report could show."""

        def __getitem__(self, key: str) -> Any:
            raise KeyError(key)

    @cache
    def described(name: str, rule: str) -> MetadataRecord:
        version, known = RECORD_FORMAT_VERSION, remembered(name)
        if known is None:
            stale = {"params": [repr(STALE)], "input": []} if os.path.exists(name) else {}
            return Unrecorded(record_format_version=version, **stale)
        for path in known.inputs:
            refuse_damaged(path)
        return MetadataRecord(
            params=[repr(known.job if is_consistent(name, known) else STALE)],
            input=sorted(known.inputs),
            input_checksums={path: f"sha256:{found}" for path, found in known.inputs.items()},
            record_format_version=version,
            rule=rule,
            **known.report,
        )

    def metadata(self: Any, target: Any) -> MetadataRecord:
        return described(str(target), target.rule.name)

    def deactivate_cache(self: Any) -> None:
        """Snakemake calls this when the plan is made and files begin to change."""
        for look in (described, remembered, current_digest, refuse_damaged):
            look.cache_clear()
        self._clear_cache()

    async def incomplete(self: Any, job: Any) -> list[Any]:
        """None: a file is written whole or not at all, and one without a record is stale anyway."""
        return []

    PersistenceBase.metadata = metadata
    PersistenceBase.deactivate_cache = deactivate_cache
    PersistenceBase.incomplete = incomplete


@cache
def remembered(name: str) -> Remembered | None:
    """Of an artefact's record; None without one that makes sense."""
    try:
        record = read_record(Path(name))
    except Problem as problem:
        sys.exit(str(problem))
    if record is None:
        return None
    try:
        return Remembered(
            canonical(record["job"]),
            dict(record["inputs"]),
            dict(record["outputs"]),
            dict(record["also_read"]),
            _for_reports(record),
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _for_reports(record: dict[str, Any]) -> dict[str, Any]:
    """What a report shows of a job: when it ran, how long, and on which packages."""
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
    """As Snakemake keeps it of a job."""
    listed = {"dependencies": [f"{name} {version}" for name, version in versions]}
    return base64.b64encode(json.dumps(listed).encode()).decode()


def is_consistent(name: str, known: Remembered) -> bool:
    """It has all its siblings, and its inputs are still the same.

    Of a file that is gone (deleted, or dropped once it was used) the record alone decides: what was
    made from it is as fresh as ever. Files that the job read besides its inputs may be gone, but
    not be others.
    """
    if os.path.exists(name) and not all(map(os.path.exists, known.outputs)):
        return False
    besides = {name: found for name, found in known.also_read.items() if os.path.exists(name)}
    compared = {**known.inputs, **besides}
    return all(current_digest(name) in (None, found) for name, found in compared.items())


@cache
def current_digest(name: str) -> str | None:
    """As its record says; the user's own files have none, and are looked at. None for folders."""
    known = remembered(name)
    recorded = known.outputs.get(name) if known else None
    if recorded or not os.path.isfile(name):
        return recorded
    return digest(Path(name))


@cache
def refuse_damaged(name: str) -> None:
    """Stop before anything runs on a file that was changed after it was made.

    Snakemake would delete the outputs of all jobs that read it first, and find out then. Hashes
    only where the file is newer than its record, and not in the next plan again.
    """
    known = remembered(name)
    if known is None or not os.path.isfile(name) or not is_newer_than_record(name):
        return
    written = os.stat(name).st_mtime_ns
    if digest(Path(name)) != known.outputs.get(name):
        sys.exit(
            f"{name} is not what its record says was written there (truncated or edited); "
            "delete it and run the same command again"
        )
    date_record(name, written)


def is_newer_than_record(name: str) -> bool:
    """Also where one of them is not there."""
    try:
        return os.stat(name).st_mtime_ns > record_path(Path(name)).stat().st_mtime_ns
    except OSError:
        return True


def date_record(name: str, written: int) -> None:
    """A record is as old as its file was when the two were last known to agree."""
    with suppress(OSError):  # no record, or a folder that cannot be written to
        os.utime(record_path(Path(name)), ns=(written, written))
