"""Records instead of modification times: how Snakemake is told what is stale.

Imported by the rules only.
"""

import sys
from functools import cache
from pathlib import Path
from typing import Any

from latents.record import canonical, digest, read_record, record_path

STALE = "not what its record says"


def remember_by_records() -> None:
    """Let Snakemake look up how a file was made in the file's own record.

    Its rerun triggers (params, input, checksums against mtimes) then work unchanged, but survive
    the loss of `.snakemake/`, a copy to another clone, and any change of modification times.
    """
    from snakemake.persistence import RECORD_FORMAT_VERSION, MetadataRecord, PersistenceBase

    def metadata(self: Any, target: Any) -> MetadataRecord:
        path = Path(str(target))
        if not path.exists():  # nothing to tell of it; its siblings know that it is gone
            return MetadataRecord(record_format_version=RECORD_FORMAT_VERSION)
        record = read_record(path) or {"inputs": {}}
        inputs: dict[str, str] = record["inputs"]
        for name in inputs:
            refuse_damaged(Path(name))
        return MetadataRecord(
            params=[repr(canonical(record["job"]) if is_consistent(record) else STALE)],
            input=sorted(inputs),
            input_checksums={name: f"sha256:{found}" for name, found in inputs.items()},
            record_format_version=RECORD_FORMAT_VERSION,
        )

    PersistenceBase.metadata = metadata


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
    """A record that exists, all of whose outputs exist, and whose inputs are still the same.

    Files that the job read besides its inputs may be gone, but not be others.
    """
    if "outputs" not in record or not all(Path(name).exists() for name in record["outputs"]):
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
