"""The run of a script's function under the command line that its rule writes.

This is the way of values: from the command line into the function, and from its files to their
names. Outputs are written under temporary names and renamed when all of them are complete. All else
around a job is in `supervision.py`, which holds copies alone.
"""

import os
import sys
from collections.abc import Callable
from copy import deepcopy

from latents.runtime.atomic_files import own_partial_name, settle
from latents.runtime.command_line import Step, flat, keyword_arguments, read_command_line
from latents.runtime.gpu_slots import VISIBLE
from latents.runtime.supervision import Outcome, in_sentences, supervised

__all__ = ["Outcome", "execute", "run"]


def run(function: Callable[..., Outcome | None]) -> None:
    """Run the step on this process's command line."""
    step = read_command_line(function.__name__, sys.argv[1:])
    with in_sentences(deepcopy(step)):
        execute(step, function)


def execute(step: Step, function: Callable[..., Outcome | None]) -> None:
    """Call the function, if its outputs are not there yet, and put them in place."""
    with supervised(deepcopy(step)) as job:
        if job.is_needed:
            if job.gpu is not None:
                os.environ[VISIBLE] = job.gpu
            partial = {k: [own_partial_name(p) for p in paths] for k, paths in step.outputs.items()}
            job.accept(function(**keyword_arguments(function, step, partial, job.key)))
            for path in flat(step.outputs):
                settle(own_partial_name(path), path)
