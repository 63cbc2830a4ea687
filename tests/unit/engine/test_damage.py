"""Files that were changed after they were made: found out by a plan, once for each change."""

import json
import os
from pathlib import Path

import pytest

from latents.engine import recorded
from latents.engine.recorded import refuse_damaged
from latents.runtime.record import KEYS, digest, record_path

MODEL, HISTORY = "models/model", "models/history"


@pytest.fixture(autouse=True)
def made(tmp_path: Path, monkeypatch) -> None:
    """A model and its history, older than their record."""
    monkeypatch.chdir(tmp_path)
    record_path(Path(MODEL)).parent.mkdir(parents=True)
    for name in (MODEL, HISTORY):
        Path(name).write_text(name)
    facts = {"job": {}, "inputs": {}, "also_read": {}, "key": "", "seconds": 1}
    facts |= {"outputs": {name: digest(Path(name)) for name in (MODEL, HISTORY)}}
    facts |= {"started": "2026-01-02T03:04:05", "environment": {"python": "3", "packages": {}}}
    record_path(Path(MODEL)).write_text(json.dumps({**dict.fromkeys(KEYS), **facts}))
    written({MODEL: 10, HISTORY: 20, record_path(Path(MODEL)): 30})


def written(times: dict[str | Path, float]) -> None:
    for path, when in times.items():
        os.utime(path, (when, when))


def plan(monkeypatch, *inputs: str) -> list[str]:
    """Files that a plan hashes, if jobs read these inputs."""
    hashed = []
    monkeypatch.setattr(recorded, "digest", lambda path: hashed.append(str(path)) or digest(path))
    recorded.forget()
    for name in inputs:
        refuse_damaged(name)
    return sorted(hashed)


def test_files_that_are_older_than_their_record_are_not_hashed(monkeypatch):
    assert plan(monkeypatch, MODEL, HISTORY) == []


def test_a_copy_with_new_times_is_hashed_once(monkeypatch):
    written({MODEL: 40, HISTORY: 50})
    assert plan(monkeypatch, MODEL) == [HISTORY, MODEL]
    assert record_path(Path(MODEL)).stat().st_mtime == 50
    assert plan(monkeypatch, MODEL, HISTORY) == []


@pytest.mark.parametrize("name", [MODEL, HISTORY])
def test_a_changed_file_stops_the_plan(monkeypatch, name: str):
    Path(name).write_text("changed")
    with pytest.raises(SystemExit, match=f"{name} is not what its record says"):
        plan(monkeypatch, name)


def test_a_file_that_agrees_does_not_hide_that_its_sibling_was_changed(monkeypatch):
    """The history was edited before the model got a new time, as a copy would give it."""
    Path(HISTORY).write_text("changed")
    written({HISTORY: 40, MODEL: 50})
    for _ in range(2):
        assert plan(monkeypatch, MODEL) == [HISTORY, MODEL]
    with pytest.raises(SystemExit, match=f"{HISTORY} is not what its record says"):
        plan(monkeypatch, MODEL, HISTORY)
