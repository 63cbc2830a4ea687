"""The jobs that a workflow is going to run, listed at its start.

`latents watch` counts them. A job compares itself with its entry, because on a cluster Snakemake
plans again on the node, perhaps hours later and after an edit.
"""

import hashlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latents.runtime.atomic_files import replacing
from latents.runtime.errors import Problem

FOLDER = Path(".snakemake/jobs")
VARIABLE = "LATENTS_JOBS"  # where the workflow tells its jobs which list is theirs
KEPT = 10  # lists; several workflows may run in one folder


@dataclass(frozen=True)
class Job:
    """A job that a workflow is going to run."""

    rule: str
    output: Path  # its first
    log: Path
    planned: str  # digest of its code and values


def name_list() -> None:
    """Name a new list; called by the workflow itself, not by Snakemakes that it starts on nodes."""
    os.environ[VARIABLE] = str(FOLDER / f"{time.time_ns()}.json")


def write_list(dag: Any) -> None:
    """List the jobs of Snakemake's graph that are going to run; called at its start."""
    jobs = [
        (job.rule.name, str(job.output[0]), str(job.log[0]), digest_of(str(job.params.job)))
        for level in dag.toposorted()
        for job in level
        if dag.needrun(job) and is_ours(job)
    ]
    with replacing(Path(os.environ[VARIABLE])) as temporary:
        temporary.write_text(json.dumps(jobs))
    for old in sorted(FOLDER.glob("*.json"))[:-KEPT]:
        old.unlink(missing_ok=True)


def is_ours(job: Any) -> bool:
    """Return whether a job of Snakemake's graph is one of this workflow's own rules."""
    return bool(job.output and job.log and hasattr(job.params, "job"))


def read_list(path: Path) -> list[Job]:
    return [Job(rule, Path(out), Path(log), planned) for rule, out, log, planned in _entries(path)]


def newest_list() -> Path:
    found = sorted(FOLDER.glob("*.json"))
    if not found:
        raise Problem(f"{FOLDER} has no list of jobs: no workflow was started in this folder")
    return found[-1]


def digest_of(job: str) -> str:
    return hashlib.sha256(job.encode()).hexdigest()[:16]


def refuse_replanned(outputs: list[Path], job: str) -> None:
    """Refuse a job that is no longer the listed one."""
    names = set(map(str, outputs))
    for _, output, _, planned in _entries(Path(os.environ.get(VARIABLE, ""))):
        if output in names and planned != digest_of(job):
            raise Problem(
                "its code or values were changed after the workflow was started; "
                "run the same command again"
            )


def _entries(path: Path) -> list[list[str]]:
    """Return the entries of a list; none if there is no list, as for a script called by hand."""
    try:
        entries: list[list[str]] = json.loads(path.read_text())
        return entries
    except (OSError, ValueError):
        return []
