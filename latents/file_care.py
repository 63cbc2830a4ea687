"""How Snakemake treats finished files: by their records, as it judges what is stale.

Imported by the rules only. Work that is done is never thrown away, whoever did it.
"""

import os
from pathlib import Path
from typing import Any

from latents.job_list import is_made_since
from latents.record import read_record
from latents.staleness import date_record, is_newer_than_record


def keep_files_by_records() -> None:
    """Let Snakemake touch, drop and remove files only where their records allow it."""
    from snakemake.dag import DAG
    from snakemake.jobs import Job

    touch, is_needed, remove = (
        DAG.check_and_touch_output,
        DAG.is_needed_tempfile,
        Job.remove_existing_output,
    )

    async def touch_records_too(self: Any, job: Any, *arguments: Any, **options: Any) -> None:
        """Else all that was made would be newer than its record, and hashed in the next plan."""
        unchanged = [name for name in job.output if not is_newer_than_record(name)]
        await touch(self, job, *arguments, **options)
        for name in unchanged:
            date_record(name, os.stat(name).st_mtime_ns)

    def is_needed_or_was_to_stay(
        self: Any, job: Any, file: Any, *others: Any, **named: Any
    ) -> bool:
        """What was made under `keep: everything` stays, whatever is set now."""
        record = read_record(Path(file))
        made_to_stay = record is not None and not record.get("expendable")
        return made_to_stay or is_needed(self, job, file, *others, **named)

    async def remove_unless_just_made(self: Any) -> None:
        """What another process made meanwhile is left to the job, which looks at it."""
        if not all(map(is_made_since, self.output)):
            await remove(self)

    DAG.check_and_touch_output = touch_records_too
    DAG.is_needed_tempfile = is_needed_or_was_to_stay
    Job.remove_existing_output = remove_unless_just_made


def work_through_submissions() -> None:
    """Let a submission make all that is not made yet, and nothing else.

    Snakemake 9.27 forces all jobs of a submission. It would train models once more that an earlier
    attempt finished, or a submission that a killed Snakemake left in the queue. And it does not
    hand on that one failure must not keep the others from running.
    """
    from snakemake.dag import DAG

    judge = DAG.update_needrun

    async def unforced(self: Any, *arguments: Any, **options: Any) -> None:
        self.workflow.execution_settings.keep_going = True
        self.forcefiles = {name for name in self.forcefiles if not is_made_since(name)}
        await judge(self, *arguments, **options)

    DAG.update_needrun = unforced
