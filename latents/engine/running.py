"""What the rules ask of the Snakemake that runs them, and what they set there."""

import os
from pathlib import Path
from typing import Any

from snakemake.settings.types import MaxJobsPerTimespan
from snakemake.shell import shell

from latents.engine.performance import collect_garbage_less_often
from latents.engine.persistence import judge_by_records
from latents.runtime.errors import Problem
from latents.runtime.gpu_slots import PLACES
from latents.runtime.job_list import name_list
from latents.runtime.sources import ROOT

DEFAULT_LIMIT = "100/1s"  # jobs that Snakemake starts in a timespan
TURN = "turn"  # the resource of jobs that were submitted together


def prepare(workflow: Any, base: Path) -> None:
    """Set up a Snakemake that has just begun to read the rules of the clone at `base`."""
    if base != ROOT:
        raise Problem(f"one workflow cannot use two clones of this one: {ROOT} and {base}")
    if workflow.workflow_settings.persistence_backend.name == "DB":
        raise Problem("staleness is judged by records: use Snakemake's persistence backend file")
    collect_garbage_less_often()
    judge_by_records()
    if workflow.is_main_process:
        name_list()
    if workflow.remote_exec:
        workflow.register_resource(TURN, 1)
    elif workflow.local_exec and "gpu" in workflow.global_resources:
        os.environ[PLACES] = str(workflow.global_resources["gpu"].value)


def release(workflow: Any) -> None:
    """Give rules that follow ours Snakemake's own treatment of outputs."""
    workflow.modifier.default_output_flags.clear()


def start(workflow: Any) -> None:
    """Set up a Snakemake that is about to run jobs.

    Its default limit of jobs a second adds a chain of timers for every finished job: after a few
    hundred of them its loop takes a core for itself. A limit that the user sets stays.
    """
    limit = workflow.scheduling_settings.max_jobs_per_timespan
    if limit == MaxJobsPerTimespan.parse_choice(DEFAULT_LIMIT):
        workflow.scheduler.job_rate_limiter = None


def command_of(rule: Any) -> str:
    """Return what runs a rule's jobs: its command, a prefix of all commands, and its threads.

    Snakemake tells jobs their number of threads by variables of the libraries of linear algebra.
    """
    threads = rule.resources["_cores"]
    said = "" if callable(threads) or threads == 1 else f"[{threads} threads] "
    return f"{shell._process_prefix or ''}{said}{rule.shellcmd}"


def place_of(workflow: Any) -> Path:
    """Return the folder in which a host workflow wants the files of this one."""
    return Path(workflow.modifier.path_modifier.prefix or "")


def uses_conda(workflow: Any) -> bool:
    """Return whether jobs run in environments of their own."""
    return any(method.name == "CONDA" for method in workflow.deployment_settings.deployment_method)
