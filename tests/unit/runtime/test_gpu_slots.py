"""Jobs on a machine with several GPUs: one on each, and a dead one holds none. No GPU is needed."""

import subprocess
import sys

import pytest

from latents.runtime import gpu_slots as devices
from tests.conftest import ROOT

HOLD = """
import os, sys
from latents.runtime.gpu_slots import take_gpu
gpu, slot = take_gpu(sys.argv[1])
print(gpu or os.environ.get("CUDA_VISIBLE_DEVICES", "all"), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def job(tmp_path, monkeypatch):
    """Starts a process that takes a GPU and keeps it until it is killed."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv(devices.PLACES, "2")
    monkeypatch.setenv(devices.VISIBLE, "GPU-a,GPU-b")
    started = []

    def start(device: str = "auto") -> subprocess.Popen:
        command = [sys.executable, "-c", HOLD, device]
        pipe = subprocess.PIPE
        started.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def gpu_of(process: subprocess.Popen) -> str:
    return process.stdout.readline().strip()


def test_two_jobs_have_a_gpu_each_and_a_third_gets_that_of_a_dead_one(job):
    first, second = job(), job()
    held = {gpu_of(first): first, gpu_of(second): second}
    assert set(held) == {"GPU-a", "GPU-b"}
    third = job("cuda")
    with pytest.raises(subprocess.TimeoutExpired):
        third.wait(timeout=1)
    held["GPU-b"].kill()
    assert gpu_of(third) == "GPU-b"


def test_two_jobs_share_a_gpu_only_where_that_was_asked_for(job, monkeypatch):
    monkeypatch.setenv(devices.PLACES, "4")
    assert sorted(gpu_of(job()) for _ in range(4)) == ["GPU-a", "GPU-a", "GPU-b", "GPU-b"]


def test_a_place_for_fewer_jobs_leaves_the_other_gpus_alone(job, monkeypatch):
    monkeypatch.setenv(devices.PLACES, "1")
    assert gpu_of(job()) == "GPU-a"


@pytest.mark.parametrize("device", ["cpu", "cuda:1"])
def test_a_device_chosen_by_name_is_not_shared_out(job, device):
    assert gpu_of(job(device)) == "GPU-a,GPU-b"


def test_without_places_nothing_is_pinned(job, monkeypatch):
    monkeypatch.delenv(devices.PLACES)
    assert gpu_of(job()) == "GPU-a,GPU-b"


def test_all_gpus_of_the_machine_where_nobody_restricts_them(tmp_path, monkeypatch):
    monkeypatch.delenv(devices.VISIBLE, raising=False)
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\nprintf 'GPU-1\\nGPU-2\\n'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert devices.visible_gpus() == ["GPU-1", "GPU-2"]
    program.unlink()
    assert devices.visible_gpus() == []
