"""All that surrounds a job and cannot touch its result: leases, refusals, sentences, records.

It holds copies of what a step is called with, and hands back a key and a GPU. Fingerprints leave it
out (`neutral_code.py`).
"""

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn, TextIO

import psutil

from latents.runtime.atomic_files import own_partial_name, remove, remove_leftovers, replacing
from latents.runtime.command_line import Step, flat
from latents.runtime.environment import (
    COUNTING,
    describe_code,
    describe_environment,
    other_versions,
    peak_memory_mb,
)
from latents.runtime.errors import Problem
from latents.runtime.failures import in_words
from latents.runtime.fingerprint import Fingerprint, fingerprint, refuse_changed, refuse_uncovered
from latents.runtime.gpu_slots import take_gpu
from latents.runtime.job_list import refuse_replanned
from latents.runtime.lease import lease
from latents.runtime.record import (
    canonical,
    content_digest,
    forget,
    job_key,
    read_record,
    record_path,
    sealed,
    verified_digest,
)

PROBLEMS = Path(".snakemake/problems.txt")
FORCED = "LATENTS_FORCED"  # set where the user wants jobs to run although their results are there
CONFIGURATION = "LATENTS_CONFIGURATION"  # where the workflow tells its jobs what the user set


@dataclass(frozen=True)
class Outcome:
    """What a step's function reports of its result, apart from its outputs."""

    identifier: str | None = None  # that the outputs carry, where it is not the job's key
    seeds: tuple[int, ...] = ()
    data: tuple[str, ...] = ()
    also_read: Mapping[str, str] = field(default_factory=dict)  # digests of files beyond its inputs
    finish: Callable[[], None] | None = None  # called once outputs and record are in place


@contextmanager
def in_sentences(step: Step) -> Iterator[None]:
    """Say in one sentence what went wrong with a job."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # tidy up as after Ctrl-C
    try:
        yield
    except KeyboardInterrupt:
        give_up(f"{step.name}: stopped by a signal; run the same command again to go on")
    except Exception as error:
        sentence = in_words(error, flat(step.outputs)[0])
        if sentence is None:
            leave_word(f"{step.name}: {type(error).__name__}; its log tells where")
            raise
        give_up(f"{step.name}: {sentence}")


def give_up(sentence: str) -> NoReturn:
    """End the job with a sentence, and leave it for the end of the workflow."""
    leave_word(sentence)
    sys.exit(sentence)


def leave_word(sentence: str) -> None:
    """Leave a sentence for the end of the workflow, if it is ours and not that of a host."""
    if PROBLEMS.exists():
        with contextlib.suppress(OSError), PROBLEMS.open("a") as file:
            file.write(sentence + "\n")


class Supervision:
    """One job under its lease: whether it has to run, under which key, and what it made."""

    def __init__(self, step: Step, code: Fingerprint) -> None:
        self.step = step
        self.code = code
        self.outputs = flat(step.outputs)
        self.inputs = {str(path): verified_digest(path) for path in flat(step.inputs)}
        self.key = job_key(step.job, self.inputs)
        self.is_needed = bool(os.environ.get(FORCED)) or not self._is_made()
        self.gpu: str | None = None
        self.slot: TextIO | None = None  # held until the process ends
        self.started = datetime.now(UTC)
        self.outcome: Outcome | None = None
        self.digests: dict[str, str] = {}

    def _is_made(self) -> bool:
        """Return whether all outputs are there as this job, on these inputs, made them before."""
        records = {path: read_record(path) for path in self.outputs}
        return all(
            path.exists()
            and record is not None
            and record["key"] == self.key
            and record["outputs"].get(str(path)) == content_digest(path)
            and not (os.environ.get(COUNTING) and other_versions(record["environment"]))
            for path, record in records.items()
        )

    def prepare(self) -> None:
        """Wait for a GPU, if jobs share some, and make room for outputs."""
        self.gpu, self.slot = take_gpu(self.step.settings.get("device"))
        for path in self.outputs:
            remove_leftovers(path)

    def accept(self, outcome: Outcome | None) -> None:
        """Take note of complete outputs, just before they get their names."""
        refuse_uncovered(self.code)
        self.outcome = outcome or Outcome()
        self.digests = {str(path): content_digest(own_partial_name(path)) for path in self.outputs}
        for path in self.outputs:
            forget(path)  # before the first is in place: never a new file beside an old record

    def record(self, outcome: Outcome, code: dict[str, Any]) -> dict[str, Any]:
        """Return what was made from what, by which code, where and at which cost."""
        return {
            "format": 3,
            "step": self.step.name,
            "key": self.key,
            "identifier": outcome.identifier or self.key,
            "job": self.step.job,
            "units": self.code.units,
            "inputs": self.inputs,
            "outputs": self.digests,
            "also_read": dict(outcome.also_read),
            "settings": self.step.settings,
            "expendable": self.step.expendable,
            "configuration": json.loads(os.environ.get(CONFIGURATION, "{}")),
            **_inherited(self.step, outcome),
            "code": code,
            "environment": describe_environment(),
            "started": self.started.isoformat(timespec="seconds"),
            "seconds": round(time.time() - psutil.Process().create_time(), 3),
            "cpu_seconds": round(time.process_time(), 3),
            "peak_memory_mb": peak_memory_mb(),
        }


@contextmanager
def supervised(step: Step) -> Iterator[Supervision]:
    """Check code and inputs, keep other processes out, and write a record of what was made.

    A process that is left of a killed Snakemake is waited for.
    """
    _refuse_several_folders(step)
    first = flat(step.outputs)[0]
    with lease(first.with_name(f".lease.{first.name}")):
        code = fingerprint(step.name, tuple(step.job["modules"]))
        refuse_changed(step.job["code"], code)
        refuse_replanned(flat(step.outputs), canonical(step.job))
        job = Supervision(step, code)
        if job.is_needed:
            yield from _watched(job)
        else:
            print(f"{step.name}: nothing to do, {first} is what this job makes", flush=True)
            yield job


def _watched(job: Supervision) -> Iterator[Supervision]:
    """Yield a job that has to run; afterwards write its record, and remove what is left over."""
    job.prepare()
    commit = describe_code()
    try:
        yield job
    finally:
        for path in job.outputs:
            remove(own_partial_name(path))
    if job.outcome is None:
        raise Problem("its step did not say that it was done")
    with replacing(record_path(job.outputs[0])) as temporary:
        record = sealed(job.record(job.outcome, commit))
        temporary.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
    if job.outcome.finish is not None:
        job.outcome.finish()


def _refuse_several_folders(step: Step) -> None:
    """Refuse outputs that would not find their record, which lies beside the first."""
    folders = sorted({str(path.parent) for path in flat(step.outputs)})
    if len(folders) > 1:
        raise Problem(f"its outputs must share one folder, and lie in {' and '.join(folders)}")


def _inherited(step: Step, outcome: Outcome) -> dict[str, list[Any]]:
    """Return the seeds and data that a result depends on: the job's, and those of its inputs."""
    records = [record for path in flat(step.inputs) if (record := read_record(path))]
    seeds = {*outcome.seeds, *(seed for record in records for seed in record["seeds"])}
    data = {*outcome.data, *(name for record in records for name in record["data"])}
    return {"seeds": sorted(seeds), "data": sorted(data)}
