"""Objectives against formulas written out with NumPy, closed forms, and finite differences."""

from math import log

import numpy as np
import pytest
import torch
from scipy.special import logsumexp
from scipy.stats import norm

from latents.objective import RunFacts, build_objective, reconstruction
from latents.objectives.beta_tcvae import log_aggregates, stratified_log_weights
from latents.objectives.dip_vae import batch_covariance
from latents.objectives.factor_vae import discriminator, permute
from latents.training import optimise, start_training
from latents.vae import Pass, build_vae
from tests.unit.test_training import budget

DIP = {"lambda_od": 3.0, "diagonal_ratio": 2.0}
FACTOR = {"gamma": 7.0, "layers": 2, "discriminator_rate": 1e-4, "double_step_counter": False}
CASES = {
    "beta_vae": ("beta_vae", {"beta": 4.0}),
    "annealed_vae": ("annealed_vae", {"c_max": 25.0, "gamma": 10.0}),
    "dip_vae_i": ("dip_vae", {**DIP, "variant": "i"}),
    "dip_vae_ii": ("dip_vae", {**DIP, "variant": "ii"}),
    "beta_tcvae_weighted": ("beta_tcvae", {"beta": 5.0, "sampling": "weighted"}),
    "beta_tcvae_stratified": ("beta_tcvae", {"beta": 5.0, "sampling": "stratified"}),
    "factor_vae": ("factor_vae", FACTOR),
}
PRIORS = {
    "standard_normal": {},
    "generalised_gaussian": {"p": 1.5, "scale": 2.0},
    "lp_nested": {
        "tree": [2.1, [2.2, 2], [1.9, 2]],
        "scale": 1.0,
        "learned": True,
        "learning_rate": 5e-4,
    },
}
IMAGES = 1000


def make_pass(seed: int = 0, batch: int = 6, latents: int = 4) -> Pass:
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    images = (normal(batch, 1, 4, 4) > 0).double()
    mean, logvar = normal(batch, latents), normal(batch, latents) - 1
    sample = mean + torch.exp(logvar / 2) * normal(batch, latents)
    return Pass(images, normal(batch, 1, 4, 4), mean, logvar, sample)


def objective(case: str, prior: str = "standard_normal", steps: int = 300, latents: int = 4):
    name, options = CASES[case]
    torch.manual_seed(0)
    over = {"name": prior, "options": PRIORS[prior]}
    facts = RunFacts(latents=latents, steps=steps, images=IMAGES)
    return build_objective(name, options=options, prior=over, facts=facts).double()


def loss(case: str, seen: Pass, step: int = 0) -> float:
    return objective(case)(seen, step)["loss"].item()


def kl(seen: Pass) -> float:
    mean, logvar = seen.mean.numpy(), seen.logvar.numpy()
    return (0.5 * (mean**2 + np.exp(logvar) - logvar - 1).sum(axis=1)).mean()


def pair_densities(seen: Pass) -> np.ndarray:
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
    grey = Pass(torch.full_like(seen.images, 0.3), seen.logits, seen.mean, seen.logvar, seen.sample)
    p = torch.sigmoid(seen.logits)
    expected = -(0.3 * p.log() + 0.7 * (1 - p).log()).sum() / len(p)
    torch.testing.assert_close(reconstruction(grey), expected)


def test_beta_vae_formula():
    seen = make_pass()
    expected = reconstruction(seen).item() + 4 * kl(seen)
    assert loss("beta_vae", seen) == pytest.approx(expected, rel=1e-12)


# AnnealedVAE


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


# DIP-VAE


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
    white = Pass(seen.images, seen.logits, mean, torch.zeros(4, 2).double(), mean)
    for case, expected in {"dip_vae_i": 0, "dip_vae_ii": 6 * 2}.items():
        found = objective(case, latents=2)(white, 0)["penalty"].item()
        assert found == pytest.approx(expected, abs=1e-12)


# beta-TCVAE


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
        part = Pass(*(t[chosen] for t in vars(whole).values()))
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


# FactorVAE


def test_factor_vae_formula():
    seen, loss_of = make_pass(), objective("factor_vae")
    logits = loss_of.discriminator(seen.sample)
    expected = reconstruction(seen) + kl(seen) + 7 * (logits[:, 0] - logits[:, 1]).mean()
    assert loss_of(seen, 0)["loss"].item() == pytest.approx(expected.item(), rel=1e-12)


def test_discriminator_has_the_papers_size():
    assert sum(p.numel() for p in discriminator(10, 6).parameters()) == 5_018_002


def test_permutation_keeps_each_latent_and_breaks_the_pairs():
    codes = torch.arange(40.0).reshape(20, 2)
    shuffled = permute(codes, torch.Generator().manual_seed(0))
    assert torch.equal(shuffled.sort(dim=0).values, codes)
    assert not torch.equal(shuffled[:, 1] - shuffled[:, 0], torch.ones(20))


def test_discriminator_loss_is_log_two_where_it_cannot_tell():
    loss_of = objective("factor_vae")
    for parameter in loss_of.discriminator[-1].parameters():
        torch.nn.init.zeros_(parameter)
    found = loss_of.discriminator_loss(make_pass().sample, torch.Generator().manual_seed(0))
    assert found.item() == pytest.approx(log(2), rel=1e-12)


def snapshot(module: torch.nn.Module) -> list[torch.Tensor]:
    return [parameter.detach().clone() for parameter in module.parameters()]


def test_each_step_of_factor_vae_touches_its_own_parameters_only():
    torch.manual_seed(0)
    vae = build_vae(
        "mlp", image_shape=(1, 64, 64), latents=4, width=0.02, initialisation="glorot_uniform"
    )
    loss_of = objective("factor_vae").float()
    training = start_training(vae, loss_of, budget(), 0)
    seen = vae(torch.rand(8, 1, 64, 64), training.noise)
    models, critics = snapshot(vae), snapshot(loss_of.discriminator)
    loss_of(seen, 0)["loss"].backward()
    training.optimizer.step()
    assert any(not torch.equal(a, b) for a, b in zip(models, vae.parameters(), strict=True))
    kept = zip(critics, loss_of.discriminator.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in kept)
    models = snapshot(vae)
    gradients = [p.grad.clone() for p in vae.parameters()]
    loss_of.after_update(seen, training.noise)
    assert all(torch.equal(a, b) for a, b in zip(models, vae.parameters(), strict=True))
    assert all(torch.equal(g, p.grad) for g, p in zip(gradients, vae.parameters(), strict=True))
    moved = zip(critics, loss_of.discriminator.parameters(), strict=True)
    assert all(not torch.equal(a, b) for a, b in moved)


def test_the_discriminator_learns_from_its_own_loss_alone():
    """What the model's loss leaves in the discriminator's gradients does not count."""
    runs = []
    for gamma in (0.0, 1e6):
        torch.manual_seed(0)
        vae = build_vae(
            "mlp", image_shape=(1, 64, 64), latents=4, width=0.02, initialisation="torch"
        )
        loss_of = objective("factor_vae").float()
        loss_of.gamma = gamma
        optimise(start_training(vae, loss_of, budget(), 0), torch.ones(8, 1, 64, 64))
        runs.append(snapshot(loss_of.discriminator))
    assert all(torch.equal(a, b) for a, b in zip(*runs, strict=True))


# All of them


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("case", CASES)
def test_gradients_match_finite_differences(case, prior):
    seen, loss_of = make_pass(), objective(case, prior)
    parts = [seen.logits, seen.mean, seen.logvar, seen.sample]

    def value(logits, mean, logvar, sample):
        return loss_of(Pass(seen.images, logits, mean, logvar, sample), 10)["loss"]

    assert torch.autograd.gradcheck(value, [part.clone().requires_grad_() for part in parts])
