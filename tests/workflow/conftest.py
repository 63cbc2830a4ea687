"""The real workflow, built once at a small scale; each test gets a copy to change as it likes."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from latents.runtime.lease import lease
from tests.conftest import ROOT
from tests.unit.runtime.small_repository import forget_code
from tests.workflow.clones import Clone, copy_of_project
from tests.workflow.every_kind import Everything, build_everything, read_everything


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole workflows take minutes, on a busy machine many."""
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "workflow"):
            item.add_marker(pytest.mark.timeout(1800))


@pytest.fixture(scope="session")
def built(tmp_path_factory, worker_id) -> Clone:
    """Figure 9 and the scores of another cell, built; not to be changed."""
    folder = once(tmp_path_factory, worker_id, "built", lambda at: copy_of_project(at).build())
    return Clone(folder)


@pytest.fixture(scope="session")
def everything(tmp_path_factory, worker_id) -> Iterator[Everything]:
    """All figures and claims, and a job of every step with every module; not to be changed."""
    folder = once(tmp_path_factory, worker_id, "everything", build_everything)
    found = read_everything(folder)
    yield found
    found.server.process.kill()


def once(tmp_path_factory, worker_id: str, name: str, build: Callable[[Path], object]) -> Path:
    """A folder built once for all processes that share out the tests."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / name
    with lease(folder.with_name(f".lease.{name}")):
        if not (folder / "done").exists():
            build(folder / "project")
            (folder / "done").touch()
    return folder / "project"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch) -> Iterator[Path]:
    """A copy of the sources of jobs, read as this repository's."""
    for name in ("latents", "scripts"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr("latents.runtime.sources.ROOT", tmp_path)
    forget_code()
    yield tmp_path
    monkeypatch.undo()
    forget_code()


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


@pytest.fixture
def everything_else(everything: Everything, tmp_path: Path) -> Clone:
    """A copy of everything: sources to change, results to read."""
    folder = tmp_path / "project"
    folder.mkdir()
    for path in everything.clone.folder.iterdir():
        if path.name in ("results", "figures", "data"):
            (folder / path.name).symlink_to(path)
        elif path.is_dir():
            shutil.copytree(path, folder / path.name)
        else:
            shutil.copy2(path, folder / path.name)
    return Clone(folder)
