"""Records instead of modification times: how Snakemake is told what is stale.

Imported by the rules only.
"""

import base64
import json
import sys
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from latents.record import canonical, digest, is_dropped, read_record, record_path

STALE = "not what its record says"


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

    def metadata(self: Any, target: Any) -> MetadataRecord:
        path, version = Path(str(target)), RECORD_FORMAT_VERSION
        if not path.exists() and not is_dropped(path):  # its siblings know that it is gone
            return Unrecorded(record_format_version=version)
        record = read_record(path)
        if record is None:
            return Unrecorded(params=[repr(STALE)], input=[], record_format_version=version)
        inputs: dict[str, str] = record["inputs"]
        for name in inputs:
            refuse_damaged(Path(name))
        return MetadataRecord(
            params=[repr(canonical(record["job"]) if is_consistent(record) else STALE)],
            input=sorted(inputs),
            input_checksums={name: f"sha256:{found}" for name, found in inputs.items()},
            record_format_version=version,
            rule=target.rule.name,
            **for_reports(record),
        )

    PersistenceBase.metadata = metadata


def for_reports(record: dict[str, Any]) -> dict[str, Any]:
    """What a report shows of a job: when it ran, how long, and on which packages."""
    started = datetime.fromisoformat(record["started"]).timestamp()
    versions = {"python": record["environment"]["python"], **record["environment"]["packages"]}
    software = {"dependencies": [f"{name} {version}" for name, version in versions.items()]}
    return {
        "job_hash": hash(record["key"]),
        "starttime": started,
        "endtime": started + record["seconds"],
        "conda_env": base64.b64encode(json.dumps(software).encode()).decode(),
    }


def keep_finished_members() -> None:
    """Let a submission that is tried again make only what it had not made yet.

    Snakemake 9.27 forces all jobs of a submission, and would train finished models once more.
    """
    from snakemake.dag import DAG

    judge = DAG.update_needrun

    async def unforced(self: Any, *arguments: Any, **options: Any) -> None:
        if self.workflow.execution_settings.attempt > 1:
            self.forcefiles.clear()
        await judge(self, *arguments, **options)

    DAG.update_needrun = unforced


def is_consistent(record: dict[str, Any]) -> bool:
    """A record all of whose outputs exist, and whose inputs are still the same.

    Files that the job read besides its inputs may be gone, but not be others; outputs that were
    dropped once they were used count as there.
    """
    if not all(Path(n).exists() or is_dropped(Path(n)) for n in record["outputs"]):
        return False
    besides = {n: f for n, f in record.get("also_read", {}).items() if Path(n).exists()}
    known = {**record["inputs"], **besides}
    return all(current_digest(name) in (None, found) for name, found in known.items())


def current_digest(name: str) -> str | None:
    """As its record says; the user's own files have none, and are looked at. None for folders."""
    path = Path(name)
    recorded = recorded_digest(name)
    if recorded or not path.is_file():
        return recorded
    return _digest_of(path, path.stat().st_mtime_ns, path.stat().st_size)


@cache
def _digest_of(path: Path, _written: int, _size: int) -> str:
    return digest(path)


def recorded_digest(name: str) -> str | None:
    """What an artefact's own record says of its content; None without a record."""
    record = read_record(Path(name))
    return record["outputs"].get(name) if record else None


def refuse_damaged(path: Path) -> None:
    """Stop before anything runs on a file that was changed after it was made.

    Snakemake would delete the outputs of all jobs that read it first, and find out then.
    """
    if path.is_file() and read_record(path) and _changed(path, path.stat().st_mtime_ns):
        sys.exit(
            f"{path} is not what its record says was written there (truncated or edited); "
            "delete it and run the same command again"
        )


@cache
def _changed(path: Path, written: int) -> bool:
    """Hashes only where the file is newer than its record."""
    if written <= record_path(path).stat().st_mtime_ns:
        return False
    return digest(path) != recorded_digest(str(path))
