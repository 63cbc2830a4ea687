"""What Snakemake would run for a target, read from the commands of a dry run."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latents.fingerprint import ROOT
from latents.problem import Problem
from latents.step import Step, read_command_line

COMMAND = re.compile(r"^(?:Shell command: )?\s*(python .*/(\w+)\.py.*)$", re.MULTILINE)
JOB = re.compile(r"^(?:local)?rule (?!all:)\w+:", re.MULTILINE)
WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|[^\s'"])+""")
QUOTED = re.compile(r"""'([^']*)'|"([^"]*)\"""")
NOISE = ("Using profile", "Using workflow specific profile", "host:", "Building DAG of jobs")


@dataclass(frozen=True)
class Planned:
    """A job as the present code and configuration would run it, and where its log would be."""

    step: Step
    log: Path

    @property
    def inputs(self) -> list[Path]:
        return [path for paths in self.step.inputs.values() for path in paths]

    @property
    def outputs(self) -> list[Path]:
        return [path for paths in self.step.outputs.values() for path in paths]


def planned_jobs(targets: list[str], options: list[str], folder: Path) -> list[Planned]:
    """The jobs that a command would run in a folder; options as Snakemake knows them."""
    command = [sys.executable, "-m", "snakemake", *targets, "--dry-run", "--printshellcmds"]
    command += ["--snakefile", str(ROOT / "Snakefile"), *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise Problem(_what_snakemake_said(done.stdout + done.stderr))
    jobs = [_read(line) for line, _ in COMMAND.findall(done.stdout)]
    if len(jobs) != len(JOB.findall(done.stdout)):
        raise Problem("could not read Snakemake's plan; see it with snakemake --dry-run")
    return jobs


def config_options(given: dict[str, Any]) -> list[str]:
    """`--config` with what a user set, as Snakemake reads it back."""
    words = [f"{key}={json.dumps(value)}" for key, value in given.items()]
    return ["--config", *words] if words else []


def _read(line: str) -> Planned:
    words = split_words(line)
    end = words.index("2>&1")
    step = read_command_line(Path(words[1]).stem, words[2:end])
    return Planned(step, Path(words[words.index("tee") + 1]))


def split_words(line: str) -> list[str]:
    """The words of a command whose quotes were set by `shlex.quote`.

    `shlex.split` knows more about shells and takes milliseconds for every job of thousands.
    """
    return [QUOTED.sub(r"\1\2", word) for word in WORD.findall(line)]


def _what_snakemake_said(text: str) -> str:
    lines = [line for line in text.splitlines() if line and not line.startswith(NOISE)]
    return "\n".join(lines).strip()
