"""How a job's script is started: the library, the interpreter and the environment it runs with."""

import os
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from latents.runtime.supervision import CONFIGURATION

# glibc gives large blocks back to the system at every step; keeping them is faster (benchmarks/).
MALLOC = {
    "MALLOC_MMAP_THRESHOLD_": str(2**30),
    "MALLOC_TRIM_THRESHOLD_": str(2**30),
    "MALLOC_TOP_PAD_": str(2**28),
}
# Where memory comes from, where the clone lies, and what records tell change no result.
NEUTRAL = {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "MALLOC_TOP_PAD_", CONFIGURATION}
OURS = "LATENTS_"  # variables of this library, read by what surrounds a job


@dataclass(frozen=True)
class Launcher:
    """Starts the scripts of a clone; nothing of it reaches the jobs of other workflows."""

    base: Path  # the clone
    variables: Mapping[str, str]  # what the workflow tells its jobs
    in_conda: bool  # the job's own environment has the interpreter
    before: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def script(self, name: str) -> Callable[[object], str]:
        """Return the function of `params` that starts a script."""
        python = "python" if self.in_conda else sys.executable
        given = {k: v for k, v in self._variables().items() if not self._is_users(k)}
        words = [*(f"{key}={value}" for key, value in given.items()), python]
        text = shlex.join(["env", *words, str(self.base / "scripts" / f"{name}.py")])
        return lambda wildcards: text

    def _variables(self) -> dict[str, str]:
        return {"PYTHONPATH": str(self.base), **MALLOC, **self.variables}

    def _is_users(self, name: str) -> bool:
        """Return whether a user chose how memory is handled."""
        return name in MALLOC and name in os.environ

    def counting(self) -> dict[str, str]:
        """Return the variables that may change a result: all that the rules set, save neutral ones.

        Rules set them here, or for the whole workflow while they are read.
        """
        ours = {k: v for k, v in self._variables().items() if v != str(self.base)}
        since = {k: v for k, v in os.environ.items() if self.before.get(k) != v}
        both = {**since, **ours}
        return {k: v for k, v in sorted(both.items()) if k not in NEUTRAL and OURS not in k}
