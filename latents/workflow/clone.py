"""The clone of the project that the library lies in, and Snakemake on its Snakefile."""

import subprocess
import sys
from pathlib import Path

from latents.runtime.errors import Problem
from latents.runtime.sources import ROOT


def require_clone() -> None:
    """Refuse to go on where the library was installed without rules, scripts and configuration."""
    if not (ROOT / "Snakefile").is_file():
        raise Problem(
            f"this needs a clone of the project, and no Snakefile is beside the library in {ROOT}; "
            "in a clone, run python -m latents.commands"
        )


def snakemake_command(*arguments: str) -> list[str]:
    """Return the command that runs this clone's Snakefile in the folder where it is started."""
    require_clone()
    return [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), *arguments]


def run_snakemake(folder: Path, *arguments: str) -> int:
    """Run this clone's Snakefile in a folder and return the exit code.

    Ctrl-C reaches Snakemake too, which is given the time to end its jobs and to unlock the folder.
    """
    with subprocess.Popen(snakemake_command(*arguments), cwd=folder) as running:
        try:
            return running.wait()
        except KeyboardInterrupt:
            running.wait()
            raise
