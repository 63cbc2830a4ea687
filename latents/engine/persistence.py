"""Records instead of modification times: what tells Snakemake which artefacts are stale.

Our rules are those whose `params.job` is a function of this library. Every other rule is judged by
Snakemake's own persistence.
"""

import os
from functools import cache
from pathlib import Path
from typing import Any

from snakemake.persistence import RECORD_FORMAT_VERSION, MetadataRecord
from snakemake.persistence.file import FilePersistence

from latents.engine.recorded import (
    date_record,
    forget,
    is_consistent,
    is_newer_than_record,
    refuse_damaged,
    remembered,
)
from latents.engine.replacement import replace
from latents.runtime.record import read_record
from latents.runtime.supervision import FORCED

STALE = "not what its record says"
ANY_SIZE = 10**15  # bytes
KNOWN = "(nolock, dag, conda_prefix, singularity_prefix, shadow_prefix, warn_only, path)"


def judge_by_records() -> None:
    """Let Snakemake use `RecordPersistence` in this process.

    Workflows that use this one as a module may read it several times: the second time it is there.
    """
    from snakemake import workflow

    if not issubclass(workflow.FilePersistence, RecordPersistence):
        replace(workflow, "FilePersistence", RecordPersistence, known=KNOWN)


@cache
def is_ours(rule: Any) -> bool:
    """Return whether a rule's jobs write records: its `params.job` is made by this library."""
    if "job" not in rule.params.keys():  # noqa: SIM118 - a list with names
        return False
    return str(getattr(rule.params.job, "__module__", "")).startswith("latents.")


class RecordPersistence(FilePersistence):  # type: ignore[misc]
    """Snakemake's memory, which looks up how an artefact of ours was made in its record.

    Its rerun triggers then work unchanged, but survive the loss of `.snakemake/`, a copy to another
    clone, and any change of modification times.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._forget()
        self._is_planning = True  # every record is read once
        self._verified: set[str] = set()  # outputs that were what their record says
        if self.dag is not None:
            self.dag.max_checksum_file_size = ANY_SIZE  # a newer input is compared by content
            hand_on(self.dag.workflow)

    def metadata(self, target: Any) -> MetadataRecord | None:
        if not is_ours(target.rule):
            return super().metadata(target)
        if not self._is_planning:
            self._forget()
        return describe(str(target), target.rule.name)

    def _params(self, job: Any) -> list[Any]:
        """Return what decides a job's result: of ours the job's text, not how it is started."""
        return [repr(str(job.params.job))] if is_ours(job.rule) else list(super()._params(job))

    async def incomplete(self, job: Any) -> list[Any]:
        """Return no file of ours: each is whole or not there, and stale without a record."""
        return [] if is_ours(job.rule) else list(await super().incomplete(job))

    def deactivate_cache(self) -> None:
        """Forget what was read for the plan; Snakemake calls this when files begin to change."""
        super().deactivate_cache()
        self._is_planning = False
        self._forget()
        for job in self.dag.jobs:
            if is_ours(job.rule):
                keep_permanent(job.output)

    def _forget(self) -> None:
        describe.cache_clear()
        forget()

    def backup_output(self, path: Path) -> None:
        """Copy a previous version; ours stays in place until the new one is whole."""
        if read_record(path) is None:
            super().backup_output(path)

    def restore_output(self, path: Path) -> bool:
        """Return whether the previous version of a failed job's output is in place."""
        if read_record(path) is not None and path.exists():
            return True
        return self._get_backup_path(path).exists() and bool(super().restore_output(path))

    def cleanup_backup(self, path: Path) -> None:
        """Note an output that is what its record says, before Snakemake touches it."""
        super().cleanup_backup(path)
        if not is_newer_than_record(str(path)):
            self._verified.add(str(path))

    async def finished(self, job: Any) -> None:
        """Write Snakemake's own metadata for other rules; date the records of ours."""
        if not is_ours(job.rule):
            await super().finished(job)
            return
        self._clear_cache()
        for path in job.output:
            self._unmark_incomplete(self._get_key(path))
        outputs = set(map(str, job.output))
        if outputs and outputs <= self._verified:
            date_record(str(job.output[0]), max(os.stat(path).st_mtime_ns for path in outputs))
        self._verified -= outputs


def hand_on(workflow: Any) -> None:
    """Hand on to jobs what Snakemake does not.

    Jobs that the user forces run although their results are there. In a submission of several runs,
    one failure does not keep the others from running.
    """
    settings = workflow.dag_settings
    if workflow.is_main_process:
        forced = settings.forceall or settings.forcerun or settings.forcetargets
        os.environ[FORCED] = "yes" if forced else ""
    if workflow.remote_exec:
        workflow.execution_settings.keep_going = True


class Unrecorded(MetadataRecord):  # type: ignore[misc]
    """A file without a record: stale, and a report can show nothing of its job."""

    def __getitem__(self, key: str) -> Any:
        raise KeyError(key)


@cache
def describe(name: str, rule: str) -> MetadataRecord:
    """Return an artefact's record in Snakemake's form."""
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


def keep_permanent(outputs: Any) -> None:
    """Unmark temporary outputs that were made to stay, under `keep: everything`."""
    for path in outputs:
        record = read_record(Path(path)) if "temp" in path.flags else None
        if record is not None and not record.get("expendable"):
            del path.flags["temp"]
