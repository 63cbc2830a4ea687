"""Records instead of modification times: how Snakemake is told what is stale.

Imported by the rules only. A plan is a look at one moment: every file and every record is looked
at once, and of a record only what decides is kept, so that thousands of models take seconds.
"""

import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from latents.record import canonical, digest, read_record, record_path

STALE = "not what its record says"


@dataclass(frozen=True, slots=True)
class Remembered:
    """What decides whether an artefact is stale: its job, and files with their digests."""

    job: str
    inputs: dict[str, str]
    outputs: dict[str, str]
    also_read: dict[str, str]


def remember_by_records() -> None:
    """Let Snakemake look up how a file was made in the file's own record.

    Its rerun triggers (params, input, checksums against mtimes) then work unchanged, but survive
    the loss of `.snakemake/`, a copy to another clone, and any change of modification times.
    """
    from snakemake.persistence import RECORD_FORMAT_VERSION, MetadataRecord, PersistenceBase

    @cache
    def described(name: str) -> MetadataRecord:
        known = remembered(name)
        if known is None or not os.path.exists(name):
            stale = [repr(STALE)] if os.path.exists(name) else None  # of a lost one, siblings tell
            return MetadataRecord(params=stale, record_format_version=RECORD_FORMAT_VERSION)
        for path in known.inputs:
            refuse_damaged(path)
        return MetadataRecord(
            params=[repr(known.job if is_consistent(known) else STALE)],
            input=sorted(known.inputs),
            input_checksums={path: f"sha256:{found}" for path, found in known.inputs.items()},
            record_format_version=RECORD_FORMAT_VERSION,
        )

    def metadata(self: Any, target: Any) -> MetadataRecord:
        return described(str(target))

    def deactivate_cache(self: Any) -> None:
        """Snakemake calls this when the plan is made and files begin to change."""
        for look in (described, remembered, current_digest, refuse_damaged):
            look.cache_clear()
        self._clear_cache()

    PersistenceBase.metadata = metadata
    PersistenceBase.deactivate_cache = deactivate_cache


@cache
def remembered(name: str) -> Remembered | None:
    """Of an artefact's record; None without one."""
    record = read_record(Path(name))
    if record is None:
        return None
    files = (record["inputs"], record["outputs"], record.get("also_read", {}))
    return Remembered(canonical(record["job"]), *files)


def is_consistent(known: Remembered) -> bool:
    """All its outputs exist, and its inputs are still the same.

    Files that the job read besides its inputs may be gone, but not be others.
    """
    if not all(map(os.path.exists, known.outputs)):
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
    only where the file is newer than its record.
    """
    known = remembered(name)
    if known is None or not os.path.isfile(name):
        return
    is_newer = os.stat(name).st_mtime_ns > record_path(Path(name)).stat().st_mtime_ns
    if is_newer and digest(Path(name)) != known.outputs.get(name):
        sys.exit(
            f"{name} is not what its record says was written there (truncated or edited); "
            "delete it and run the same command again"
        )
