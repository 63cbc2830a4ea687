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

from latents.record import canonical, digest, read_record, record_path

STALE = "not what its record says"


@dataclass(frozen=True, slots=True)
class Remembered:
    """What decides whether an artefact is stale, and what a report shows of its job."""

    job: str
    inputs: dict[str, str]
    outputs: dict[str, str]
    also_read: dict[str, str]
    expendable: bool
    report: dict[str, Any]


def remember_by_records() -> None:
    """Let Snakemake look up how a file was made in the file's own record.

    Its rerun triggers (params, input, checksums against mtimes) then work unchanged, but survive
    the loss of `.snakemake/`, a copy to another clone, and any change of modification times.
    """
    from snakemake.dag import DAG
    from snakemake.persistence import RECORD_FORMAT_VERSION, MetadataRecord, PersistenceBase

    class Unrecorded(MetadataRecord):  # type: ignore[misc]
        """Of a file without a record: stale, and nothing that a report could show."""

        def __getitem__(self, key: str) -> Any:
            raise KeyError(key)

    @cache
    def described(name: str, rule: str) -> MetadataRecord:
        version, known = RECORD_FORMAT_VERSION, remembered(name)
        if not is_there(name):  # its siblings know that it is gone
            return Unrecorded(record_format_version=version)
        if known is None:
            return Unrecorded(params=[repr(STALE)], input=[], record_format_version=version)
        for path in known.inputs:
            refuse_damaged(path)
        return MetadataRecord(
            params=[repr(known.job if is_consistent(known) else STALE)],
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

    touch = DAG.check_and_touch_output

    async def touch_records_too(self: Any, job: Any, *arguments: Any, **options: Any) -> None:
        """Else all that was made would be newer than its record, and hashed in the next plan."""
        await touch(self, job, *arguments, **options)
        for name in job.output:
            _date_record(name)

    PersistenceBase.metadata = metadata
    PersistenceBase.deactivate_cache = deactivate_cache
    DAG.check_and_touch_output = touch_records_too


@cache
def remembered(name: str) -> Remembered | None:
    """Of an artefact's record; None without one that makes sense."""
    record = read_record(Path(name))
    if record is None:
        return None
    try:
        return Remembered(
            canonical(record["job"]),
            dict(record["inputs"]),
            dict(record["outputs"]),
            dict(record["also_read"]),
            bool(record.get("expendable")),
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


def is_there(name: str) -> bool:
    """Or was dropped, as it was made to be, once it was used: its record stands for it."""
    if os.path.exists(name):
        return True
    known = remembered(name)
    return known is not None and known.expendable


def is_consistent(known: Remembered) -> bool:
    """All its outputs are there, and its inputs are still the same.

    Files that the job read besides its inputs may be gone, but not be others.
    """
    if not all(map(is_there, known.outputs)):
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
    if known is None or not os.path.isfile(name):
        return
    if os.stat(name).st_mtime_ns <= os.stat(record_path(Path(name))).st_mtime_ns:
        return
    if digest(Path(name)) != known.outputs.get(name):
        sys.exit(
            f"{name} is not what its record says was written there (truncated or edited); "
            "delete it and run the same command again"
        )
    _date_record(name)


def _date_record(name: str) -> None:
    """A record is as old as the file was when the two last agreed."""
    with suppress(OSError):  # no record, or a folder that cannot be written to
        written = os.stat(name).st_mtime_ns
        os.utime(record_path(Path(name)), ns=(written, written))


def keep_what_was_made_since(started: Path) -> None:
    """Let a submission make only what is not made yet; a file tells when the workflow started.

    Snakemake 9.27 forces all jobs of a submission. It would train models once more that an earlier
    attempt finished, or a submission that a killed Snakemake left in the queue.
    """
    from snakemake.dag import DAG

    judge = DAG.update_needrun

    async def unforced(self: Any, *arguments: Any, **options: Any) -> None:
        self.forcefiles = {name for name in self.forcefiles if not _is_newer(name, started)}
        await judge(self, *arguments, **options)

    DAG.update_needrun = unforced


def _is_newer(name: str, than: Path) -> bool:
    try:
        return os.stat(record_path(Path(name))).st_mtime_ns > than.stat().st_mtime_ns
    except OSError:
        return False
