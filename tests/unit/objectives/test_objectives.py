"""Objectives against formulas written out with NumPy, closed forms, and finite differences."""

import numpy as np
import pytest
import torch

from latents.objective import build_objective, reconstruction
from latents.vae import Pass

DIP = {"lambda_od": 3.0, "diagonal_ratio": 2.0}
CASES = {
    "beta_vae": ("beta_vae", {"beta": 4.0}),
    "dip_vae_i": ("dip_vae", {**DIP, "variant": "i"}),
    "dip_vae_ii": ("dip_vae", {**DIP, "variant": "ii"}),
}


def make_pass(seed: int = 0, batch: int = 6, latents: int = 4) -> Pass:
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    images = (normal(batch, 1, 4, 4) > 0).double()
    mean, logvar = normal(batch, latents), normal(batch, latents) - 1
    sample = mean + torch.exp(logvar / 2) * normal(batch, latents)
    return Pass(images, normal(batch, 1, 4, 4), mean, logvar, sample)


def objective(case: str):
    name, options = CASES[case]
    return build_objective(name, prior="standard_normal", options=options)


def kl(seen: Pass) -> float:
    mean, logvar = seen.mean.numpy(), seen.logvar.numpy()
    return (0.5 * (mean**2 + np.exp(logvar) - logvar - 1).sum(axis=1)).mean()


def test_reconstruction_is_the_bernoulli_log_likelihood():
    seen = make_pass()
    density = torch.distributions.Bernoulli(logits=seen.logits)
    expected = -density.log_prob(seen.images).sum(dim=(1, 2, 3)).mean()
    torch.testing.assert_close(reconstruction(seen), expected)


def test_reconstruction_takes_real_valued_pixels():
    seen = make_pass()
    grey = Pass(torch.full_like(seen.images, 0.3), seen.logits, seen.mean, seen.logvar, seen.sample)
    p = torch.sigmoid(seen.logits)
    expected = -(0.3 * p.log() + 0.7 * (1 - p).log()).sum() / len(p)
    torch.testing.assert_close(reconstruction(grey), expected)


def test_beta_vae_formula():
    seen = make_pass()
    terms = objective("beta_vae")(seen)
    assert terms["loss"].item() == pytest.approx(
        reconstruction(seen).item() + 4 * kl(seen), rel=1e-12
    )


@pytest.mark.parametrize("variant", ["i", "ii"])
def test_dip_vae_formula(variant):
    seen = make_pass()
    mean, variance = seen.mean.numpy(), np.exp(seen.logvar.numpy())
    covariance = np.cov(mean, rowvar=False, ddof=0)
    if variant == "ii":
        covariance = covariance + np.diag(variance.mean(axis=0))
    off = sum(covariance[i, j] ** 2 for i in range(4) for j in range(4) if i != j)
    on = sum((covariance[i, i] - 1) ** 2 for i in range(4))
    expected = reconstruction(seen).item() + kl(seen) + 3 * off + 6 * on
    assert objective(f"dip_vae_{variant}")(seen)["loss"].item() == pytest.approx(
        expected, rel=1e-12
    )


def test_dip_vae_covariance_is_that_of_the_sampled_codes():
    """Cov[z] = Cov[mu] + E[sigma^2], against 400,000 samples."""
    seen = make_pass(batch=8)
    generator = torch.Generator().manual_seed(1)
    noise = torch.randn(50_000, 8, 4, generator=generator, dtype=torch.float64)
    codes = (seen.mean + torch.exp(seen.logvar / 2) * noise).reshape(-1, 4).numpy()
    sampled = np.cov(codes, rowvar=False)
    analytic = np.cov(seen.mean.numpy(), rowvar=False, ddof=0)
    analytic += np.diag(np.exp(seen.logvar.numpy()).mean(axis=0))
    assert sampled == pytest.approx(analytic, abs=0.01)


def test_dip_vae_penalty_vanishes_at_the_identity():
    mean = torch.tensor([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]).double()
    seen = make_pass(batch=4, latents=2)
    white = Pass(seen.images, seen.logits, mean, torch.zeros(4, 2).double(), mean)
    assert objective("dip_vae_i")(white)["penalty"].item() == pytest.approx(0, abs=1e-15)
    assert objective("dip_vae_ii")(white)["penalty"].item() == pytest.approx(6 * 2, rel=1e-12)


def test_dip_vae_refuses_a_third_variant():
    with pytest.raises(ValueError, match="variants i and ii"):
        build_objective("dip_vae", prior="standard_normal", options={**DIP, "variant": "iii"})


@pytest.mark.parametrize("case", CASES)
def test_gradients_match_finite_differences(case):
    seen, loss = make_pass(), objective(case)
    parts = [seen.logits, seen.mean, seen.logvar]

    def value(logits, mean, logvar):
        return loss(Pass(seen.images, logits, mean, logvar, seen.sample))["loss"]

    assert torch.autograd.gradcheck(value, [part.clone().requires_grad_() for part in parts])
