"""How a job's script is started: the library, the interpreter and the environment it runs with."""

import os
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

# glibc gives large blocks back to the system at every step; keeping them is faster (benchmarks/).
MALLOC = {
    "MALLOC_MMAP_THRESHOLD_": str(2**30),
    "MALLOC_TRIM_THRESHOLD_": str(2**30),
    "MALLOC_TOP_PAD_": str(2**28),
}


@dataclass(frozen=True)
class Launcher:
    """Starts the scripts of a clone; nothing of it reaches the jobs of other workflows."""

    base: Path  # the clone
    variables: Mapping[str, str]  # what the workflow tells its jobs
    in_conda: bool  # the job's own environment has the interpreter

    def script(self, name: str) -> Callable[[object], str]:
        """Return the function of `params` that starts a script."""
        set_by_us = {key: value for key, value in MALLOC.items() if key not in os.environ}
        variables = {"PYTHONPATH": str(self.base), **set_by_us, **self.variables}
        python = "python" if self.in_conda else sys.executable
        words = [*(f"{key}={value}" for key, value in variables.items()), python]
        text = shlex.join(["env", *words, str(self.base / "scripts" / f"{name}.py")])
        return lambda wildcards: text
