"""Representations made elsewhere, by hand in NumPy and by a plain VAE in PyTorch, reported on."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from tests.workflow.conftest import Clone, copy_of_project

LEAVE_OUT = "report_leaves_out=[dci,dci_lightgbm,downstream_boosting,downstream_boosting_lightgbm]"


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


def test_both_are_reported_on_once(project):
    write_by_hand(project.folder / "hand.csv")
    write_by_torch(project.folder / "torch.npz")
    config = ("representations={hand: hand.csv, torch: torch.npz}", LEAVE_OUT)
    targets = tuple(f"results/own/{name}/report.csv" for name in ("hand", "torch"))
    project.build(*config, targets=targets)
    advice = (project.folder / "results/own/hand/advice.txt").read_text()
    assert "2 active (0, 2); 0 mixed; 1 passive (1)" in advice
    report = pd.read_csv(project.folder / targets[0])
    correlation = report.query("metric == 'total_correlation' and representation == 'mean'")
    by_combination = correlation.set_index("combination")["score"]
    assert by_combination["full"] > 2
    assert by_combination["active_mixed"] < 0.1
    assert {"mutual_information_gap", "chen_mig", "factor_vae_score_test"} <= set(report["metric"])
    collapsed = (project.folder / "results/own/torch/advice.txt").read_text()
    assert "1 active" in collapsed
    assert "1 passive" in collapsed
    assert "Note: factors were not given." in collapsed
    assert not project.plan(*config, targets=targets)
    (project.folder / "torch.npz").write_bytes((project.folder / "hand.csv").read_bytes())
    done = project.snakemake(*targets, "--cores", "1", "--config", *config)
    assert done.returncode != 0
    assert "torch.npz is not a readable .npz file" in done.stderr
    assert (project.folder / targets[0]).exists()
