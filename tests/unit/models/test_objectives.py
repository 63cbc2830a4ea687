"""Objectives against formulas written out with NumPy, closed forms, and finite differences."""

from math import log

import numpy as np
import pytest
import torch
from scipy.special import logsumexp
from scipy.stats import norm

from latents.models.objective import RunFacts, build_objective, reconstruction
from latents.models.objectives.beta_tcvae import log_aggregates, stratified_log_weights
from latents.models.objectives.dip_vae import batch_covariance
from latents.models.vae import ForwardPass
from tests.unit.models.made_up_pass import CASES, IMAGES, PRIORS, kl, make_pass, objective


def loss(case: str, seen: ForwardPass, step: int = 0) -> float:
    return objective(case)(seen, step)["loss"].item()


def pair_densities(seen: ForwardPass) -> np.ndarray:
    """log q(z_ij | x_k) by scipy, (B, B, d)."""
    z, mean, scale = (t.numpy() for t in (seen.sample, seen.mean, torch.exp(seen.logvar / 2)))
    return norm.logpdf(z[:, None], mean[None], scale[None])


def test_reconstruction_is_the_bernoulli_log_likelihood():
    seen = make_pass()
    density = torch.distributions.Bernoulli(logits=seen.logits)
    expected = -density.log_prob(seen.images).sum(dim=(1, 2, 3)).mean()
    torch.testing.assert_close(reconstruction(seen), expected)


def test_reconstruction_takes_real_valued_pixels():
    seen = make_pass()
    grey = ForwardPass(
        torch.full_like(seen.images, 0.3), seen.logits, seen.mean, seen.logvar, seen.sample
    )
    p = torch.sigmoid(seen.logits)
    expected = -(0.3 * p.log() + 0.7 * (1 - p).log()).sum() / len(p)
    torch.testing.assert_close(reconstruction(grey), expected)


def test_beta_vae_formula():
    seen = make_pass()
    expected = reconstruction(seen).item() + 4 * kl(seen)
    assert loss("beta_vae", seen) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("step", [0, 50, 100, 299])
def test_annealed_vae_formula(step):
    seen = make_pass()
    capacity = min(25, 25 * step / 100)
    expected = reconstruction(seen).item() + 10 * abs(kl(seen) - capacity)
    assert loss("annealed_vae", seen, step) == pytest.approx(expected, rel=1e-12)


def test_capacity_follows_the_papers_schedule():
    paper = objective("annealed_vae", steps=300_000)
    assert paper.capacity(0) == 0
    assert paper.capacity(50_000) == pytest.approx(12.5)
    assert paper.capacity(100_000) == pytest.approx(25)
    assert paper.capacity(250_000) == 25


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
    assert loss(f"dip_vae_{variant}", seen) == pytest.approx(expected, rel=1e-12)


def test_dip_vae_penalises_the_covariance_of_the_sampled_codes():
    """Cov[z] = Cov[mu] + E[sigma^2]: the penalty of variant ii from 800,000 samples of z."""
    seen = make_pass(batch=8)
    generator = torch.Generator().manual_seed(1)
    noise = torch.randn(100_000, 8, 4, generator=generator, dtype=torch.float64)
    codes = (seen.mean + torch.exp(seen.logvar / 2) * noise).reshape(-1, 4)
    sampled = batch_covariance(codes)
    on = ((sampled.diagonal() - 1) ** 2).sum()
    off = (sampled**2).sum() - (sampled.diagonal() ** 2).sum()
    found = objective("dip_vae_ii")(seen, 0)["penalty"]
    assert found.item() == pytest.approx((3 * off + 6 * on).item(), rel=0.01)


def test_dip_vae_penalty_vanishes_at_the_identity():
    mean = torch.tensor([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]).double()
    seen = make_pass(batch=4, latents=2)
    white = ForwardPass(seen.images, seen.logits, mean, torch.zeros(4, 2).double(), mean)
    for case, expected in {"dip_vae_i": 0, "dip_vae_ii": 6 * 2}.items():
        found = objective(case, latents=2)(white, 0)["penalty"].item()
        assert found == pytest.approx(expected, abs=1e-12)


def test_beta_tcvae_loss_drops_the_constants_and_its_report_keeps_them():
    seen = make_pass()
    pairs = pair_densities(seen)
    bare = (logsumexp(pairs.sum(axis=2), axis=1) - logsumexp(pairs, axis=1).sum(axis=1)).mean()
    terms = objective("beta_tcvae_weighted")(seen, 0)
    expected = reconstruction(seen).item() + kl(seen) + 4 * bare
    assert terms["loss"].item() == pytest.approx(expected, rel=1e-12)
    offset = terms["tc"].item() - bare
    assert offset == pytest.approx((4 - 1) * log(IMAGES * 6), abs=1e-4)


def test_beta_tcvae_with_beta_one_is_the_vae():
    seen = make_pass()
    name, options = CASES["beta_tcvae_weighted"]
    plain = build_objective(
        name,
        options={**options, "beta": 1.0},
        prior={"name": "standard_normal", "options": {}},
        facts=RunFacts(4, 300, IMAGES),
    )
    expected = reconstruction(seen).item() + kl(seen)
    assert plain(seen, 0)["loss"].item() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("batch", [2, 3, 64])
def test_stratified_weights_sum_to_one_with_the_image_itself_at_one_in_n(batch):
    weights = stratified_log_weights(torch.zeros(batch, 1).double(), IMAGES).exp()
    assert weights.sum(dim=1).numpy() == pytest.approx(1, abs=1e-12)
    assert weights.diagonal().numpy() == pytest.approx(1 / IMAGES)


def test_stratified_sampling_is_unbiased_and_weighted_sampling_is_not():
    """E over batches that hold image 0 of the estimate of q(z_0), against all 40 posteriors."""
    whole = make_pass(batch=40, latents=1)
    target = np.exp(pair_densities(whole)[0, :, 0]).mean()
    random = np.random.default_rng(0)
    estimates = {"stratified": [], "weighted": []}
    for _ in range(4000):
        chosen = np.r_[0, 1 + random.choice(39, size=7, replace=False)]
        part = ForwardPass(*(t[chosen] for t in vars(whole).values()))
        for name, weights in {
            "stratified": stratified_log_weights(part.mean, 40),
            "weighted": torch.full((8, 8), -log(8 * 40), dtype=torch.float64),
        }.items():
            estimates[name].append(log_aggregates(part, weights)[0][0].exp().item())
    error = np.std(estimates["stratified"]) / np.sqrt(4000)
    assert np.mean(estimates["stratified"]) == pytest.approx(target, abs=4 * error)
    assert np.mean(estimates["weighted"]) < 0.2 * target


@pytest.mark.parametrize("sampling", ["weighted", "stratified"])
@pytest.mark.parametrize("prior", PRIORS)
def test_the_three_sampled_terms_telescope_to_the_sampled_kl(sampling, prior):
    """MI + TC + dimension-wise term = log q(z|x) - log p(z), whatever estimates q(z)."""
    seen, loss_of = make_pass(), objective(f"beta_tcvae_{sampling}", prior)
    joint, marginals = log_aggregates(seen, loss_of.log_weights(seen.mean))
    own = torch.from_numpy(np.einsum("iij->i", pair_densities(seen)))
    log_prior = loss_of.prior.log_prob(seen.sample)
    information, tc = own - joint, joint - marginals.sum(dim=1)
    dimension_wise = marginals.sum(dim=1) - log_prior
    torch.testing.assert_close(
        information + tc + dimension_wise, own - log_prior, atol=1e-10, rtol=0
    )


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("case", CASES)
def test_gradients_match_finite_differences(case, prior):
    seen, loss_of = make_pass(), objective(case, prior)
    parts = [seen.logits, seen.mean, seen.logvar, seen.sample]

    def value(logits, mean, logvar, sample):
        return loss_of(ForwardPass(seen.images, logits, mean, logvar, sample), 10)["loss"]

    assert torch.autograd.gradcheck(value, [part.clone().requires_grad_() for part in parts])
