"""The jobs that Snakemake would run for a target, from a dry run."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latents.runtime.command_line import Step, read_command_line
from latents.runtime.errors import Problem
from latents.runtime.sources import ROOT

WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|[^\s'"])+""")
QUOTED = re.compile(r"""'([^']*)'|"([^"]*)\"""")
LOGGERS = Path("latents", "engine", "logger_plugins")  # where Snakemake finds the logger "plan"


@dataclass(frozen=True)
class Planned:
    """A job as the present code and configuration would run it, and the place of its log."""

    step: Step
    log: Path

    @property
    def inputs(self) -> list[Path]:
        return [path for paths in self.step.inputs.values() for path in paths]

    @property
    def outputs(self) -> list[Path]:
        return [path for paths in self.step.outputs.values() for path in paths]


def planned_jobs(
    targets: list[str], options: list[str], folder: Path, clone: Path = ROOT
) -> list[Planned]:
    """Return the jobs that a command would run in a folder; options as Snakemake has them."""
    if options_in_disguise := [target for target in targets if target.startswith("-")]:
        raise Problem(f"{options_in_disguise[0]} is no target")
    command = [sys.executable, "-m", "snakemake", *targets, "--dry-run", "--logger", "plan"]
    command += ["--snakefile", str(clone / "Snakefile"), *options]
    environment = {**os.environ, "PYTHONPATH": f"{clone}{os.pathsep}{clone / LOGGERS}"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if not line.startswith("Using ")]
        raise Problem("\n".join(said).strip())
    scripts = f"{clone / 'scripts'}/"
    planned = (_read(json.loads(line), scripts) for line in done.stdout.splitlines())
    return [job for job in planned if job is not None]


def config_options(given: dict[str, Any]) -> list[str]:
    """Return `--config` with what a user set, as Snakemake reads it back."""
    words = [f"{key}={json.dumps(value)}" for key, value in given.items()]
    return ["--config", *words] if words else []


def _read(job: dict[str, Any], scripts: str) -> Planned | None:
    """Return the job of a planned command; None for one that is not ours."""
    words = split_words(job["shellcmd"] or "")
    start = next((i for i, word in enumerate(words) if word.startswith(scripts)), None)
    if start is None:
        return None
    arguments = words[start + 1 : words.index("2>&1")]
    return Planned(read_command_line(Path(words[start]).stem, arguments), Path(job["log"][0]))


def split_words(line: str) -> list[str]:
    """Return the words of a command whose quotes were set by `shlex.quote`.

    `shlex.split` knows more about shells and takes milliseconds for every job of thousands.
    """
    return [QUOTED.sub(r"\1\2", word) for word in WORD.findall(line)]
