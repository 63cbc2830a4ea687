"""One process at a time, on one machine or several; a dead one holds nothing up."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from latents.runtime import lease as module
from latents.runtime.lease import lease, this_process
from tests.conftest import ROOT

HOLD = """
import sys, time
from pathlib import Path
from latents.runtime import lease
lease.RENEWAL = float(sys.argv[2])
with lease.lease(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(float(sys.argv[3]))
    print("whole", flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".lease.model"


@pytest.fixture(autouse=True)
def short_times(monkeypatch):
    monkeypatch.setattr(module, "RENEWAL", 0.05)
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    monkeypatch.setattr(module, "LOOK", 0.01)


def another_process(path: Path, seconds: float) -> subprocess.Popen:
    command = [sys.executable, "-c", HOLD, str(path), "0.05", str(seconds)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def elsewhere(path: Path) -> dict:
    """A lease of another machine, whose process numbers mean nothing here."""
    holder = {**this_process(), "host": "elsewhere"}
    path.write_text(json.dumps(holder))
    return holder


def test_it_is_gone_afterwards(path):
    with lease(path):
        assert json.loads(path.read_text()) == this_process()
    assert not list(path.parent.iterdir())


def test_a_living_process_is_waited_for(path, capsys):
    other = another_process(path, 1)
    with lease(path):
        assert other.stdout.read() == "whole\n"
    assert f"waiting: process {other.pid} on" in capsys.readouterr().out
    assert other.wait() == 0


def test_a_stopped_process_of_this_machine_still_holds_it(path):
    """However long it is silent: it lives, and may go on."""
    other = another_process(path, 0.1)
    other.send_signal(signal.SIGSTOP)
    timer = threading.Timer(1.5, other.send_signal, [signal.SIGCONT])
    timer.start()
    with lease(path):
        assert other.stdout.read() == "whole\n"
    assert other.wait() == 0


def test_a_killed_process_of_this_machine_holds_nothing(path, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 1000)
    other = another_process(path, 1000)
    other.kill()
    other.wait()
    assert path.exists()
    with lease(path):
        assert json.loads(path.read_text()) == this_process()


def test_a_number_that_was_given_to_another_process_holds_nothing(path, monkeypatch, capsys):
    monkeypatch.setattr(module, "PATIENCE", 1000)
    path.write_text(json.dumps({**this_process(), "created": "another boot 123"}))
    with lease(path):
        assert json.loads(path.read_text()) == this_process()
    assert "waiting" not in capsys.readouterr().out


def test_another_machine_holds_it_as_long_as_it_renews(path):
    elsewhere(path)
    renewals = 60

    def renew() -> None:
        for _ in range(renewals):
            os.utime(path)
            time.sleep(0.02)
        path.unlink()

    other = threading.Thread(target=renew)
    other.start()
    started = time.monotonic()
    with lease(path):
        assert time.monotonic() - started > renewals * 0.02
    other.join()


@pytest.mark.parametrize("clock", [-1e6, 0, 1e6])
def test_another_machine_that_falls_silent_loses_it_whatever_its_clock_says(path, clock):
    elsewhere(path)
    os.utime(path, (time.time() + clock,) * 2)
    started = time.monotonic()
    with lease(path):
        assert time.monotonic() - started > 0.5


@pytest.mark.parametrize("text", ["", "{", '{"host": '])
def test_a_lease_cut_short_is_given_up_after_a_while(path, text):
    path.write_text(text)
    with lease(path):
        assert json.loads(path.read_text()) == this_process()


def test_who_lost_it_ends_itself_and_leaves_the_successors_lease_alone(path):
    other = another_process(path, 1000)
    other.send_signal(signal.SIGSTOP)  # as a suspended machine
    successor = elsewhere(path)
    other.send_signal(signal.SIGCONT)
    assert other.wait(timeout=60) == module.LOST
    assert json.loads(path.read_text()) == successor


def test_many_who_wait_for_a_dead_one_get_it_one_after_the_other(path):
    path.write_text(json.dumps({**this_process(), "created": "another boot 123"}))
    log = path.parent / "log"
    code = HOLD.replace("time.sleep", f"open({str(log)!r}, 'a').write('in '); time.sleep")
    code = code.replace('print("whole"', f"open({str(log)!r}, 'a').write('out '); print('whole'")
    command = [sys.executable, "-c", code, str(path), "0.05", "0.05"]
    others = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(6)]
    assert [other.wait(timeout=120) for other in others] == [0] * 6
    assert log.read_text() == "in out " * 6


def test_a_full_disk_leaves_no_lease(path, monkeypatch):
    monkeypatch.setattr(module.json, "dumps", lambda _: exec("raise OSError(28, 'full')"))
    with pytest.raises(OSError, match="full"), lease(path):
        pass
    assert not path.exists()
