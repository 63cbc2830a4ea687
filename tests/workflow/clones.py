"""Copies of the project in which commands run as a user would type them."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from latents.runtime.record import read_record
from tests.conftest import ROOT

SMALL = ("scale=smoke", "seeds=1", "steps=40")
OTHER_SCORES = "results/smoke/scores/dsprites_beta_vae/total_correlation.csv"
TARGETS = ("figures/fig9.pdf", OTHER_SCORES)


@dataclass(frozen=True)
class Clone:
    """A working copy of the project in which commands run as a user would type them."""

    folder: Path

    def snakemake(self, *arguments: str, **options) -> subprocess.CompletedProcess:
        return self.run(sys.executable, "-m", "snakemake", *arguments, **options)

    def latents(self, *arguments: str, **options) -> subprocess.CompletedProcess:
        """A command on this copy's library, whichever one is installed."""
        return self.run(sys.executable, "-m", "latents.commands", *arguments, **options)

    def run(self, *command: str, **options) -> subprocess.CompletedProcess:
        options = {"capture_output": True, "text": True, "check": False, **options}
        environment = {**os.environ, "PYTHONPATH": ""}
        return subprocess.run(command, cwd=self.folder, env=environment, **options)

    def make(self, *arguments: str) -> subprocess.CompletedProcess:
        """`make` on this interpreter's environment instead of one of its own."""
        here = (f"BIN={Path(sys.executable).parent}", "READY=pyproject.toml")
        return self.run("make", "--no-print-directory", *here, *arguments)

    def build(self, *config: str, targets: tuple[str, ...] = TARGETS) -> str:
        done = self.snakemake(*targets, "--cores", "2", "--config", *(config or SMALL))
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout + done.stderr

    def plan(self, *config: str, targets: tuple[str, ...] = TARGETS) -> Counter:
        """How many jobs of each rule a dry run plans."""
        done = self.snakemake(*targets, "--dry-run", "--config", *(config or SMALL))
        assert done.returncode == 0, done.stderr[-3000:]
        text = done.stdout + done.stderr
        jobs = Counter(re.findall(r"^(?:local)?rule (\w+):", text, flags=re.MULTILINE))
        assert jobs or "Nothing to be done" in text, text
        return jobs

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.folder / path).read_text()
        assert old in text, f"{old!r} is not in {path}"
        (self.folder / path).write_text(text.replace(old, new))

    def git(self, *arguments: str) -> None:
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        done = self.run("git", *identity, *arguments)
        assert done.returncode == 0, done.stderr

    def forget(self) -> None:
        shutil.rmtree(self.folder / ".snakemake")


def wait_for(condition, seconds: float = 300):
    """Poll until the condition holds; how long that takes decides nothing."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
    return found


def made_at(artefact: Path) -> str:
    """When the job started that made it: another one if it was made again."""
    started: str = read_record(artefact)["started"]
    return started


def copy_of_project(folder: Path) -> Clone:
    """The files git knows or would add, as they are now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return Clone(folder)
