"""The GPU check itself, run against the CPU: it passes where it must, and can fail."""

import subprocess
import sys

import pytest
import torch

from latents.runtime.sources import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
import gpu_check

CPU = torch.device("cpu")


@pytest.fixture
def case() -> dict:
    return gpu_check.cases()["beta_tcvae  over lp_nested"]


def test_every_objective_and_prior_of_the_sweeps_is_checked():
    names = {
        (c["objective"]["name"], c["objective"]["prior"]["name"])
        for c in gpu_check.cases().values()
    }
    objectives = {name for name, _ in names}
    assert objectives == {"annealed_vae", "beta_tcvae", "beta_vae", "dip_vae", "factor_vae"}
    assert {("beta_vae", "lp_nested"), ("beta_tcvae", "lp_nested")} <= names


def test_the_cpu_agrees_with_itself_and_not_with_another_loss(case, monkeypatch):
    assert gpu_check.agrees(case, CPU)
    answers = iter([(1.0, torch.ones(3)), (1.0, torch.tensor([1.0, 1.0, 1.001]))])
    monkeypatch.setattr(gpu_check, "loss_and_gradients", lambda *_: next(answers))
    assert not gpu_check.agrees(case, CPU)


def test_without_a_gpu_it_says_that_nothing_was_checked():
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    command = [sys.executable, str(ROOT / "benchmarks" / "gpu_check.py")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0
    assert "no CUDA device, so nothing was checked" in done.stderr
