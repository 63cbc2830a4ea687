"""Representations made elsewhere, by hand in NumPy and by a plain VAE in PyTorch, diagnosed."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from tests.workflow.clones import Clone, copy_of_project

COSTLY = "dci,dci_lightgbm,downstream_boosting,downstream_boosting_lightgbm"
LEAVE_OUT = f"diagnosis_leaves_out=[{COSTLY}]"
NASTY = 'it\'s "mine"=1; touch executed $(touch executed) `touch executed`.v2.npz'


@pytest.fixture
def project(tmp_path: Path) -> Clone:
    return copy_of_project(tmp_path / "project")


def write_by_hand(path: Path) -> None:
    """Latent 0 is the factor; latent 1 is passive, and follows it in its mean."""
    random = np.random.RandomState(0)
    factor = random.randint(5, size=500)
    mean = np.stack([factor - 2.0, 0.02 * (factor - 2.0), random.randn(500)], axis=1)
    variance = np.tile([0.01, 1.0, 0.01], (500, 1))
    table = {f"mean_{j}": mean[:, j] for j in range(3)}
    table |= {f"variance_{j}": variance[:, j] for j in range(3)}
    pd.DataFrame({**table, "colour": factor}).to_csv(path, index=False)


def write_by_torch(path: Path) -> None:
    """A linear VAE of two latents on one-dimensional data, trained for a moment."""
    torch.manual_seed(0)
    data = torch.randn(400, 1) @ torch.randn(1, 8) + 0.1 * torch.randn(400, 8)
    encoder, decoder = nn.Linear(8, 4), nn.Linear(2, 8)
    optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=0.02)
    for _ in range(400):
        mean, logvar = encoder(data).chunk(2, dim=1)
        sample = mean + (logvar / 2).exp() * torch.randn_like(mean)
        recon = ((decoder(sample) - data) ** 2).sum(1).mean() * 5
        kl = 0.5 * (mean**2 + logvar.exp() - logvar - 1).sum(1).mean()
        optimizer.zero_grad()
        (recon + kl).backward()
        optimizer.step()
    np.savez(path, mean=mean.detach(), logvar=logvar.detach())


def test_both_are_diagnosed_once(project):
    write_by_hand(project.folder / "hand.csv")
    write_by_torch(project.folder / "torch.npz")
    config = ("representations={hand: hand.csv, torch: torch.npz}", LEAVE_OUT)
    targets = tuple(f"results/diagnoses/{name}/scores.csv" for name in ("hand", "torch"))
    project.build(*config, targets=targets)
    advice = (project.folder / "results/diagnoses/hand/advice.txt").read_text()
    assert "2 active (0, 2); 0 mixed; 1 passive (1)" in advice
    scores = pd.read_csv(project.folder / targets[0])
    correlation = scores.query("metric == 'total_correlation' and representation == 'mean'")
    by_combination = correlation.set_index("combination")["score"]
    assert by_combination["full"] > 2
    assert by_combination["active_mixed"] < 0.1
    assert {"mutual_information_gap", "chen_mig", "factor_vae_score_test"} <= set(scores["metric"])
    collapsed = (project.folder / "results/diagnoses/torch/advice.txt").read_text()
    assert "1 active" in collapsed
    assert "1 passive" in collapsed
    assert "Note: factors were not given." in collapsed
    assert not project.plan(*config, targets=targets)
    (project.folder / "torch.npz").write_bytes((project.folder / "hand.csv").read_bytes())
    done = project.snakemake(*targets, "--cores", "1", "--config", *config)
    assert done.returncode != 0
    assert "torch.npz is not a readable .npz file" in done.stderr
    assert (project.folder / targets[0]).exists()


def test_a_file_is_diagnosed_by_its_name_and_no_name_is_executed(project):
    write_by_torch(project.folder / NASTY)
    done = project.latents("diagnose", NASTY, "--cores", "1", "--config", LEAVE_OUT, "pairs=both")
    assert done.returncode == 0, done.stdout + done.stderr
    folder = "results/diagnoses/it_s__mine__1__touch_executed___touch_executed___touch_executed__v2"
    assert "2 latents, numbered from 0: 1 active" in done.stdout
    assert done.stdout.endswith(f"Scores, types and heat map are in {folder}/\n")
    assert (project.folder / folder / "scores.csv").is_file()
    assert not list(project.folder.rglob("executed"))


def test_what_cannot_be_diagnosed_is_said(project):
    missing = project.latents("diagnose", "mine.npz")
    assert (missing.returncode, missing.stderr) == (1, "latents diagnose: mine.npz is not there\n")
    (project.folder / "mine.npz").write_text("no archive")
    broken = project.make("diagnose", "FILE=mine.npz", "CORES=1")
    assert broken.returncode != 0
    assert "mine.npz is not a readable .npz file" in broken.stderr
    assert "latents diagnose: there is no diagnosis of mine.npz" in broken.stderr
