"""`profiles/gpu` on a machine that is told it had two GPUs; the trainings compute on its CPU."""

import subprocess
import sys

import pytest

from latents.runtime.gpu_slots import PLACES, VISIBLE, take_gpu
from tests.workflow.clones import SMALL

MODEL = "results/smoke/models/dsprites_dip_vae_ii/strength_5/seed_0/model.safetensors"


def test_a_training_waits_for_a_gpu(unbuilt, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)  # else it remembers the one before
    taken = []
    for gpu in ("GPU-a", "GPU-b"):
        monkeypatch.setenv(PLACES, "1")
        monkeypatch.setenv(VISIBLE, gpu)
        taken.append(take_gpu("auto")[1])
    monkeypatch.delenv(PLACES)
    monkeypatch.setenv(VISIBLE, "GPU-a,GPU-b")
    profile = ("--workflow-profile", "profiles/gpu", "--cores", "2")
    command = [sys.executable, "-m", "snakemake", MODEL, *profile, "--config", *SMALL]
    running = subprocess.Popen(command, cwd=unbuilt.folder, stderr=subprocess.DEVNULL)
    # Where somebody else computes, this is too short to tell anything.
    with pytest.raises(subprocess.TimeoutExpired):
        running.wait(timeout=12)
    taken[1].close()
    assert running.wait(timeout=300) == 0
    assert (unbuilt.folder / MODEL).exists()
