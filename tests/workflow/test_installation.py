"""The library as a package that pip installs, away from any clone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.workflow.clones import copy_of_project


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("installation")
    project = copy_of_project(folder / "project")
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--target", str(folder / "site"))
    done = project.run(sys.executable, "-m", "pip", "install", *options, ".")
    assert done.returncode == 0, done.stderr
    return folder / "site"


def run(installed: Path, *words: str) -> subprocess.CompletedProcess:
    """A command in an empty folder that sees the installed package first."""
    command = [str(installed / "bin" / "latents"), *words]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    options = {"capture_output": True, "text": True, "cwd": installed.parent}
    return subprocess.run(command, env=environment, **options)


def test_all_of_the_library_and_its_pages_are_installed(installed):
    def files(folder: Path) -> set[str]:
        found = (path for path in (folder / "latents").rglob("*") if path.is_file())
        return {str(p.relative_to(folder)) for p in found if "__pycache__" not in p.parts}

    assert files(installed) == files(ROOT)


def test_commands_that_need_a_clone_say_so(installed):
    assert "List the jobs that a target would run" in run(installed, "--help").stdout
    for command in ("why", "plan", "audit", "pack", "verify"):
        done = run(installed, command, "fig9")
        said = f"latents {command}: this needs a clone of the project, and no Snakefile is beside"
        assert done.returncode == 1
        assert done.stderr.startswith(said)
        assert done.stderr.count("\n") == 1


def test_other_commands_work_without_one(installed):
    table = installed.parent / "table.csv"
    table.touch()
    assert run(installed, "show", "table.csv").stdout == "\ntable.csv\n"
