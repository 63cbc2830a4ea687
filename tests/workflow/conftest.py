"""The real workflow, built once at a small scale; each test gets a copy to change as it likes."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from latents.runtime.lease import lease
from latents.runtime.record import read_record
from tests.conftest import ROOT

SMALL = ("scale=smoke", "seeds=1", "steps=40")
OTHER_SCORES = "results/smoke/scores/dsprites_beta_vae/total_correlation.csv"
TARGETS = ("figures/fig9.pdf", OTHER_SCORES)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole workflows take minutes, on a busy machine many."""
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "workflow"):
            item.add_marker(pytest.mark.timeout(1200))


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


@pytest.fixture(scope="session")
def built(tmp_path_factory, worker_id) -> Clone:
    """Figure 9 and the scores of another cell, built; not to be changed.

    Once for all processes that share out the tests.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "built"
    with lease(folder.with_name(".lease.built")):
        if not (folder / "done").exists():
            copy_of_project(folder / "project").build()
            (folder / "done").touch()
    return Clone(folder / "project")


@pytest.fixture
def clone(built: Clone, tmp_path: Path) -> Clone:
    """A copy of the built project, with the same modification times."""
    shutil.copytree(built.folder, tmp_path / "project", symlinks=True)
    return Clone(tmp_path / "project")


@pytest.fixture
def unbuilt(built: Clone, tmp_path: Path) -> Clone:
    """The project with its dataset and nothing else."""
    clone = copy_of_project(tmp_path / "project")
    shutil.copytree(built.folder / "results" / "datasets", clone.folder / "results" / "datasets")
    return clone
