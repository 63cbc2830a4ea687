"""A lock is cleared only where its owner is provably dead."""

import json
import os
import time
from pathlib import Path

import psutil
import pytest

from latents.workflow.lock import is_locked, owner_is_dead, write_owner


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "0.input.lock").write_text("x")
    os.utime(tmp_path / "locks" / "0.input.lock", (time.time() - 10,) * 2)
    return tmp_path


def note(folder: Path, **changes) -> None:
    write_owner(folder)
    owner = json.loads((folder / "owner.json").read_text())
    (folder / "owner.json").write_text(json.dumps({**owner, **changes}))


def unused_pid() -> int:
    return next(pid for pid in range(300_000, 400_000) if not psutil.pid_exists(pid))


def test_a_living_owner_keeps_its_lock(folder):
    note(folder)
    assert is_locked(folder)
    assert not owner_is_dead(folder)


def test_a_process_that_is_gone_is_dead(folder):
    note(folder, pid=unused_pid())
    assert owner_is_dead(folder)


def test_a_number_that_another_process_uses_now_is_dead(folder):
    note(folder, created="another boot 123")
    assert owner_is_dead(folder)


def test_another_host_proves_nothing(folder):
    note(folder, pid=unused_pid(), host="elsewhere")
    assert not owner_is_dead(folder)


def test_a_lock_newer_than_the_note_belongs_to_somebody_else(folder):
    note(folder, pid=unused_pid())
    os.utime(folder / "locks" / "0.input.lock", (time.time() + 10,) * 2)
    assert not owner_is_dead(folder)


@pytest.mark.parametrize("text", ["", "{}", None])
def test_without_a_readable_note_nothing_is_proven(folder, text):
    if text is not None:
        (folder / "owner.json").write_text(text)
    assert not owner_is_dead(folder)


def test_no_lock_is_no_lock(tmp_path):
    assert not is_locked(tmp_path)
