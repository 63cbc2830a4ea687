"""The run of a script's function under the command line that its rule writes.

Outputs are written under temporary names and renamed when all of them are complete; then one
record of what was made from what is written beside them.

This module and those it imports move bytes and compute none, so fingerprints leave them out.
"""

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import psutil

from latents.runtime.atomic_files import (
    own_partial_name,
    remove,
    remove_leftovers,
    replacing,
    settle,
)
from latents.runtime.command_line import Step, flat, keyword_arguments, read_command_line
from latents.runtime.environment import describe_code, describe_environment, peak_memory_mb
from latents.runtime.errors import Problem
from latents.runtime.failures import in_words
from latents.runtime.fingerprint import refuse_changed, refuse_uncovered
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


def run(function: Callable[..., Outcome | None]) -> None:
    """Run the step on this process's command line; say what went wrong in one sentence."""
    step = read_command_line(function.__name__, sys.argv[1:])
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # tidy up as after Ctrl-C
    try:
        execute(step, function)
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


def execute(step: Step, function: Callable[..., Outcome | None]) -> None:
    """Check the inputs, compute, put the outputs in place, write their record.

    No other process does so at the same time: one that is left of a killed Snakemake is waited for.
    """
    _refuse_several_folders(step)
    first = flat(step.outputs)[0]
    with lease(first.with_name(f".lease.{first.name}")):
        refuse_changed(step.job["code"])
        refuse_replanned(flat(step.outputs), canonical(step.job))
        inputs = {str(path): verified_digest(path) for path in flat(step.inputs)}
        key = job_key(step.job, inputs)
        if not os.environ.get(FORCED) and _is_made(step, key):
            print(f"{step.name}: nothing to do, {first} is what this job makes", flush=True)
        else:
            _make(step, function, inputs, key)


def _refuse_several_folders(step: Step) -> None:
    """Refuse outputs that would not find their record, which lies beside the first."""
    folders = sorted({str(path.parent) for path in flat(step.outputs)})
    if len(folders) > 1:
        raise Problem(f"its outputs must share one folder, and lie in {' and '.join(folders)}")


def _is_made(step: Step, key: str) -> bool:
    """Return whether all outputs are there as this very job, on these inputs, made them before."""
    records = {path: read_record(path) for path in flat(step.outputs)}
    return all(
        path.exists()
        and record is not None
        and record["key"] == key
        and record["outputs"].get(str(path)) == content_digest(path)
        for path, record in records.items()
    )


def _make(
    step: Step, function: Callable[..., Outcome | None], inputs: dict[str, str], key: str
) -> None:
    place = take_gpu(step.settings.get("device"))  # noqa: F841 - held until the job is made
    started, code = datetime.now(UTC), describe_code()
    outcome, outputs = _compute(step, function, key)
    record = {
        "format": 2,
        "step": step.name,
        "key": key,
        "identifier": outcome.identifier or key,
        "job": step.job,
        "inputs": inputs,
        "outputs": outputs,
        "also_read": dict(outcome.also_read),
        "settings": step.settings,
        "expendable": step.expendable,
        "configuration": json.loads(os.environ.get(CONFIGURATION, "{}")),
        **_inherited(step, outcome),
        "code": code,
        "environment": describe_environment(),
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(time.time() - psutil.Process().create_time(), 3),
        "cpu_seconds": round(time.process_time(), 3),
        "peak_memory_mb": peak_memory_mb(),
    }
    with replacing(record_path(flat(step.outputs)[0])) as temporary:
        temporary.write_text(json.dumps(sealed(record), indent=1, sort_keys=True) + "\n")
    if outcome.finish is not None:
        outcome.finish()


def _compute(
    step: Step, function: Callable[..., Outcome | None], key: str
) -> tuple[Outcome, dict[str, str]]:
    """Call the function and put its outputs in place; return its outcome and their digests."""
    partial = {name: [own_partial_name(p) for p in paths] for name, paths in step.outputs.items()}
    outputs = flat(step.outputs)
    for path in outputs:
        remove_leftovers(path)
    try:
        outcome = function(**keyword_arguments(function, step, partial, key)) or Outcome()
        refuse_uncovered(step.job["code"])
        digests = {str(path): content_digest(own_partial_name(path)) for path in outputs}
        for path in outputs:
            forget(path)  # before the first is in place: never a new file beside an old record
        for path in outputs:
            settle(own_partial_name(path), path)
    finally:
        for temporary in flat(partial):
            remove(temporary)
    return outcome, digests


def _inherited(step: Step, outcome: Outcome) -> dict[str, list[Any]]:
    """Return the seeds and data that a result depends on: the job's, and those of its inputs."""
    records = [record for path in flat(step.inputs) if (record := read_record(path))]
    seeds = {*outcome.seeds, *(seed for record in records for seed in record["seeds"])}
    data = {*outcome.data, *(name for record in records for name in record["data"])}
    return {"seeds": sorted(seeds), "data": sorted(data)}
