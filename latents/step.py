"""Binds the function of a script to the command line that its rule writes.

    python scripts/train_model.py JOB --in dataset=FILE --out model=FILE history=FILE --with k=v

JOB is one JSON text: `values` are keyword arguments of the function, `code` the fingerprints of
the files it may use. `--in` and `--out` name files, `--with` holds settings that cannot change
the result. `--expendable` outputs may be dropped once they were used; their record says so.
Outputs are written under temporary names and renamed when all of them are complete; then a record
of what was made from what is written beside each.

This module and those it imports move bytes and compute none, so fingerprints leave them out.
"""

import argparse
import contextlib
import errno
import hashlib
import inspect
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import psutil

from latents.devices import take_gpu
from latents.environment import describe_code, describe_environment
from latents.files import own_partial_name, remove, remove_leftovers, replacing, settle
from latents.fingerprint import NEUTRAL, ROOT, file_hash
from latents.job_list import refuse_replanned
from latents.lease import lease
from latents.problem import Problem
from latents.record import canonical, digest, job_key, read_record, record_path, sealed

PROBLEMS = Path(".snakemake/problems.txt")
NO_SPACE = "No space left on device"
NO_MEMORY = ("allocate memory", "not enough memory", "out of memory")  # as PyTorch says it
CONFIGURATION = "LATENTS_CONFIGURATION"  # where the workflow tells its jobs what the user set
Files = dict[str, list[Path]]
Finish = Callable[[], None] | None  # what a function wants done once its outputs are in place
ALSO_READ: dict[str, str] = {}  # files a function read that are no inputs, with their digests
FACTS: dict[str, Any] = {}  # what a function tells of its result: `data`, `seeds`, `identifier`


@dataclass(frozen=True)
class Step:
    """One job, as its command line tells it."""

    name: str
    job: dict[str, Any]
    inputs: Files
    outputs: Files
    settings: dict[str, str]
    expendable: bool = False


def run(function: Callable[..., Finish]) -> None:
    """Run the step on this process's command line; say what went wrong in one sentence."""
    step = read_command_line(function.__name__, sys.argv[1:])
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # tidy up as after Ctrl-C
    try:
        execute(step, function)
    except KeyboardInterrupt:
        give_up(f"{step.name}: stopped by a signal; run the same command again to go on")
    except Exception as error:
        sentence = _in_words(error, _flat(step.outputs)[0])
        if sentence is None:
            leave_word(f"{step.name}: {type(error).__name__}; its log tells where")
            raise
        give_up(f"{step.name}: {sentence}")


def _in_words(error: Exception, where: Path) -> str | None:
    """What a user can do something about; None for anything else."""
    if isinstance(error, Problem):
        return str(error)
    if getattr(error, "errno", None) == errno.ENOSPC or NO_SPACE in str(error):
        return (
            f"no space left on the disk that holds {where.parent}; nothing was written, make room "
            "and run the same command again"
        )
    if isinstance(error, MemoryError) or any(words in str(error) for words in NO_MEMORY):
        return (
            f"out of memory while making {where} (it had {_peak_memory_mb()} MB); run fewer jobs "
            "at once or where there is more, with the same command"
        )
    if isinstance(error, OSError):
        return f"{error.filename or where}: {error.strerror or error}"
    return None


def give_up(sentence: str) -> NoReturn:
    """Say it here, and leave it for the workflow's last words."""
    leave_word(sentence)
    sys.exit(sentence)


def leave_word(sentence: str) -> None:
    with contextlib.suppress(OSError), PROBLEMS.open("a") as file:
        file.write(sentence + "\n")


def read_command_line(name: str, arguments: list[str]) -> Step:
    parser = argparse.ArgumentParser(prog=name)
    parser.add_argument("job", type=json.loads)
    parser.add_argument("--in", dest="inputs", nargs="*", default=[])
    parser.add_argument("--out", dest="outputs", nargs="+")
    parser.add_argument("--with", dest="settings", nargs="*", default=[])
    parser.add_argument("--expendable", action="store_true")
    read = parser.parse_args(arguments)
    settings = dict(setting.split("=", 1) for setting in read.settings)
    files = _files(read.inputs), _files(read.outputs)
    return Step(name, read.job, *files, settings, read.expendable)


def execute(step: Step, function: Callable[..., Finish]) -> None:
    """Check the inputs, compute, put the outputs in place, write their records.

    No other process does so at the same time: one that is left of a killed Snakemake is waited for.
    """
    first = _flat(step.outputs)[0]
    with lease(first.with_name(f".lease.{first.name}")):
        _refuse_changed_code(step)
        refuse_replanned(_flat(step.outputs), canonical(step.job))
        inputs = {str(path): verified_digest(path) for path in _flat(step.inputs)}
        key = job_key(step.job, inputs)
        if _is_made(step, key):
            print(f"{step.name}: another process has just made {first}", flush=True)
        else:
            _make(step, function, inputs, key)


def _is_made(step: Step, key: str) -> bool:
    """Snakemake removes what is to be made anew; what is there was made since it started."""
    records = {str(path): read_record(path) for path in _flat(step.outputs)}
    return all(
        Path(path).exists()
        and record is not None
        and record["key"] == key
        and record["outputs"].get(path) == _digest(Path(path))
        for path, record in records.items()
    )


def _make(step: Step, function: Callable[..., Finish], inputs: dict[str, str], key: str) -> None:
    place = take_gpu(step.settings.get("device"))  # noqa: F841 - held until the job is made
    started, code = datetime.now(UTC), describe_code()
    partial = {name: [own_partial_name(p) for p in paths] for name, paths in step.outputs.items()}
    for path in _flat(step.outputs):
        remove_leftovers(path)
    try:
        finish = function(**_arguments(function, step, partial, key))
        _refuse_uncovered_code(step)
        made = {str(path): _digest(own_partial_name(path)) for path in _flat(step.outputs)}
        for path in _flat(step.outputs):
            remove(record_path(path))  # never a new file beside an old record
            settle(own_partial_name(path), path)
    finally:
        for temporary in _flat(partial):
            remove(temporary)
    record = sealed(
        {
            "format": 2,
            "step": step.name,
            "key": key,
            "identifier": FACTS.get("identifier", key),
            "job": step.job,
            "inputs": inputs,
            "outputs": made,
            "also_read": dict(ALSO_READ),
            "settings": step.settings,
            "expendable": step.expendable,
            "configuration": json.loads(os.environ.get(CONFIGURATION, "{}")),
            **_inherited(step),
            "code": code,
            "environment": describe_environment(),
            "started": started.isoformat(timespec="seconds"),
            "seconds": round(time.time() - psutil.Process().create_time(), 3),
            "cpu_seconds": round(time.process_time(), 3),
            "peak_memory_mb": _peak_memory_mb(),
        }
    )
    for path in _flat(step.outputs):
        with replacing(record_path(path)) as temporary:
            temporary.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
    if finish is not None:
        finish()


def _inherited(step: Step) -> dict[str, list[Any]]:
    """Seeds and data that a result rests on: those of the job, and those of its inputs."""
    records = [record for path in _flat(step.inputs) if (record := read_record(path))]
    seeds = {*FACTS.get("seeds", []), *(seed for record in records for seed in record["seeds"])}
    data = {*FACTS.get("data", []), *(name for record in records for name in record["data"])}
    return {"seeds": sorted(seeds), "data": sorted(data)}


def _peak_memory_mb() -> int:
    """The system counts in kilobytes, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 2**20 if sys.platform == "darwin" else peak // 2**10


def verified_digest(path: Path) -> str:
    """Digest of an input, refused where its own record knows another one."""
    try:
        found = _digest(path)
    except OSError as error:
        raise Problem(f"cannot read {path} ({error.strerror})") from error
    record = read_record(path)
    if record and record["outputs"].get(str(path), found) != found:
        raise Problem(
            f"{path} is not what its record says was written there (truncated or edited); "
            "delete it and run the same command again"
        )
    return found


def _digest(path: Path) -> str:
    """Of a file; a folder (snapshots) is told apart by its files' names and digests."""
    if path.is_dir():
        inside = {file.name: digest(file) for file in path.iterdir()}
        return hashlib.sha256(canonical(inside).encode()).hexdigest()
    return digest(path)


def _files(words: list[str]) -> Files:
    """`a=1 b=2 3` -> {a: [1], b: [2, 3]}: a word without a name belongs to the name before."""
    files: Files = {}
    for word in words:
        name, equals, path = word.partition("=")
        if equals:
            files[name] = [Path(path)] if path else []
        else:
            files[next(reversed(files))].append(Path(word))
    return files


def _flat(files: Files) -> list[Path]:
    return [path for paths in files.values() for path in paths]


def _arguments(
    function: Callable[..., Finish], step: Step, partial: Files, key: str
) -> dict[str, Any]:
    """Keyword arguments by name; a list takes all its files, any other parameter one or none."""
    parameters = inspect.signature(function).parameters
    files = {
        name: paths if "list" in str(parameters[name].annotation) else next(iter(paths), None)
        for name, paths in {**step.inputs, **partial}.items()
    }
    given: dict[str, Any] = {**files, **step.job["values"], **step.settings}
    return given | ({"key": key} if "key" in parameters else {})


def _refuse_changed_code(step: Step) -> None:
    """Between the plan and the job somebody may have edited what the job runs on."""
    for path, planned in step.job["code"].items():
        if file_hash(path) != planned:
            raise Problem(
                f"{path} was changed after this job was planned; run the same command again"
            )


def _refuse_uncovered_code(step: Step) -> None:
    """A module that was used but not fingerprinted could change without anything going stale."""
    files = [Path(f) for m in list(sys.modules.values()) if (f := getattr(m, "__file__", None))]
    ours = [f for f in files if any(f.is_relative_to(ROOT / d) for d in ("latents", "scripts"))]
    used = {str(f.relative_to(ROOT)) for f in ours}
    empty = {f for f in used if f.endswith("__init__.py")}
    uncovered = used - empty - NEUTRAL - set(step.job["code"])
    if uncovered:
        raise Problem(f"used code that its fingerprint does not cover: {sorted(uncovered)}")
