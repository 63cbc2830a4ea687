"""Priors: densities that integrate to one, exact samplers, closed forms and limits."""

from math import gamma

import numpy as np
import pytest
import torch
from scipy.special import gamma as gamma_function
from scipy.stats import gennorm
from torch.distributions import Normal, kl_divergence

from latents.models.priors.generalised_gaussian import GeneralisedGaussian
from latents.models.priors.lp_nested import LpNested
from latents.models.priors.standard_normal import StandardNormal
from latents.runtime.errors import Problem

RANDOM = np.random.default_rng(0)


def nested(tree, scale: float = 1.0, learned: bool = False) -> LpNested:
    def leaves(node) -> int:
        return sum(leaves(c) if isinstance(c, list) else c for c in node[1:])

    return LpNested(
        latents=leaves(tree), tree=tree, scale=scale, learned=learned, learning_rate=5e-4
    )


def random_codes(dimensions: int, count: int = 50) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(1).normal(size=(count, dimensions)))


def grid_integral(prior, half: float, points: int) -> float:
    axis = (torch.arange(points, dtype=torch.float64) + 0.5) / points * 2 * half - half
    total = 0.0
    for x in axis:
        rest = torch.cartesian_prod(axis, axis)
        total += prior.log_prob(torch.cat([x.expand(len(rest), 1), rest], dim=1)).exp().sum().item()
    return total * (2 * half / points) ** 3


# Standard normal


def test_kl_equals_that_of_torch_distributions():
    mean, logvar = random_codes(10), random_codes(10) - 1
    posterior = Normal(mean, torch.exp(logvar / 2))
    expected = kl_divergence(posterior, Normal(0.0, 1.0)).sum(dim=1)
    found = StandardNormal(latents=10).kl(mean, logvar, mean)
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


def test_the_sampled_kl_of_any_prior_averages_to_the_closed_form():
    """One-sample estimate under N(0, I) as an Lp-nested prior, within 4 standard errors."""
    generator = torch.Generator().manual_seed(0)
    mean, logvar = torch.full((100_000, 2), 0.7).double(), torch.full((100_000, 2), -1.0).double()
    noise = torch.randn(mean.shape, generator=generator, dtype=torch.float64)
    sample = mean + torch.exp(logvar / 2) * noise
    estimates = nested([2.0, 2], scale=2.0).kl(mean, logvar, sample)
    expected = StandardNormal(latents=2).kl(mean[:1], logvar[:1], sample[:1]).item()
    assert estimates.mean().item() == pytest.approx(
        expected, abs=4 * estimates.std().item() / len(estimates) ** 0.5
    )


# Generalised Gaussian


@pytest.mark.parametrize(("p", "scale"), [(1.0, 1.0), (2.4, 1.7), (2.0, 2.0), (0.7, 0.3)])
def test_generalised_gaussian_equals_scipys(p, scale):
    codes = random_codes(3)
    expected = gennorm.logpdf(codes.numpy(), p, scale=scale ** (1 / p)).sum(axis=1)
    found = GeneralisedGaussian(latents=3, p=p, scale=scale).log_prob(codes)
    assert found.numpy() == pytest.approx(expected, abs=1e-10)


def test_generalised_gaussian_samples_have_its_variance():
    prior = GeneralisedGaussian(latents=2, p=1.5, scale=0.8)
    expected = 0.8 ** (2 / 1.5) * gamma(3 / 1.5) / gamma(1 / 1.5)
    assert prior.draw_codes(200_000, np.random.default_rng(0)).var(axis=0) == pytest.approx(
        expected, rel=0.02
    )


# Lp-nested


@pytest.mark.parametrize(
    "tree",
    [
        [2.1, [2.2, 1], [1.9, 2]],
        [1.5, [3.0, 2], 1],
        [2.0, [1.2, 1, [2.5, 1, 1]]],
        [3.0, 3],
    ],
)
def test_density_integrates_to_one(tree):
    assert grid_integral(nested(tree), half=5, points=120) == pytest.approx(1, abs=1e-3)


def test_gaussian_limit():
    codes = random_codes(6)
    expected = StandardNormal(latents=6).log_prob(codes)
    for tree in ([2.0, 6], [2.0, [2.0, 2], [2.0, 4]], [2.0, [2.0, 1, [2.0, 3]], 2]):
        torch.testing.assert_close(
            nested(tree, scale=2.0).log_prob(codes), expected, atol=1e-12, rtol=0
        )


def test_a_flat_tree_is_the_generalised_gaussian():
    codes = random_codes(4)
    flat = nested([1.3, 4], scale=0.7).log_prob(codes)
    expected = GeneralisedGaussian(latents=4, p=1.3, scale=0.7).log_prob(codes)
    torch.testing.assert_close(flat, expected, atol=1e-12, rtol=0)


def test_subspaces_are_independent():
    """log p(z) = sum of the subspaces' own log-densities, each a tree of its own."""
    codes = random_codes(5)
    whole = nested([2.1, [2.2, 2], [1.6, 3]], scale=1.4).log_prob(codes)
    parts = nested([2.1, [2.2, 2]], scale=1.4).log_prob(codes[:, :2])
    parts = parts + nested([2.1, [1.6, 3]], scale=1.4).log_prob(codes[:, 2:])
    torch.testing.assert_close(whole, parts, atol=1e-12, rtol=0)


def test_the_prior_is_not_rotation_invariant():
    codes = random_codes(4)
    rotation = torch.linalg.qr(random_codes(4, count=4)).Q
    prior = nested([2.1, [2.2, 2], [2.2, 2]])
    difference = prior.log_prob(codes @ rotation) - prior.log_prob(codes)
    assert difference.abs().max() > 0.01
    plain = nested([2.0, [2.0, 2], [2.0, 2]])
    torch.testing.assert_close(plain.log_prob(codes @ rotation), plain.log_prob(codes))


@pytest.mark.parametrize(
    ("p0", "p", "leaves", "published"),
    [(2.0, 2.0, 4, 0.5), (2.1, 2.2, 4, 0.4949), (2.1, 1.9, 6, 0.4216)],
)
def test_samples_have_the_closed_form_variance(p0, p, leaves, published):
    """s^(2/p0) G((n_i+2)/p0)/G(n_i/p0) G(3/p)G(n_i/p)/(G(1/p)G((n_i+2)/p)), here at s = 1."""
    g = gamma_function
    expected = g((leaves + 2) / p0) / g(leaves / p0)
    expected *= g(3 / p) * g(leaves / p) / (g(1 / p) * g((leaves + 2) / p))
    assert expected == pytest.approx(published, abs=5e-5)
    draws = nested([p0, [p, leaves], [p, leaves]]).draw_codes(200_000, np.random.default_rng(0))
    assert draws.var(axis=0) == pytest.approx(expected, rel=0.02)
    assert draws.mean(axis=0) == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("tree", [[2.1, [2.2, 4], [1.5, 3]], [1.7, 1, [2.5, 2, [1.2, 2]]]])
def test_samples_have_the_radial_law_and_independent_subspaces(tree):
    prior = nested(tree, scale=0.6)
    draws = torch.from_numpy(prior.draw_codes(200_000, np.random.default_rng(0)))
    power = prior._power_of_norm(prior.tree, draws, prior.exponents()).detach().numpy() / 0.6
    shape = prior.latents / tree[0]  # of a Gamma law: mean and variance
    assert power.mean() == pytest.approx(shape, rel=0.01)
    assert power.var() == pytest.approx(shape, rel=0.02)
    first = draws[:, prior.tree.children[0] if isinstance(prior.tree.children[0], int) else 0]
    last = draws[:, -1]
    assert np.corrcoef(first.abs().numpy(), last.abs().numpy())[0, 1] == pytest.approx(0, abs=0.01)


def test_samples_follow_the_density():
    """E[log p] of the samples equals minus the entropy, from the integral on a grid."""
    prior = nested([2.1, [1.4, 2]])
    axis = (torch.arange(600, dtype=torch.float64) + 0.5) / 600 * 12 - 6
    logs = prior.log_prob(torch.cartesian_prod(axis, axis)).detach()
    expected = (logs.exp() * logs).sum().item() * (12 / 600) ** 2
    draws = torch.from_numpy(prior.draw_codes(200_000, np.random.default_rng(0)))
    found = prior.log_prob(draws)
    assert found.mean().item() == pytest.approx(expected, abs=4 * found.std().item() / 200_000**0.5)


@pytest.mark.parametrize("tree", [[2.1, [2.2, 2], [2.2, 2]], [2.1, [1.9, 2], [3.0, 2]]])
def test_value_and_gradient_are_finite_at_zero(tree):
    prior = nested(tree, learned=True)
    codes = torch.zeros(3, 4, dtype=torch.float64)
    codes[1, 0] = 1.0  # one subspace is zero
    codes[2] = 0.5
    codes.requires_grad_()
    value = prior.log_prob(codes)
    value.sum().backward()
    assert value.isfinite().all()
    assert codes.grad.isfinite().all()
    assert prior.below.grad.isfinite().all()


def test_exponents_start_where_they_were_asked_to_and_stay_above_the_floor():
    prior = nested([2.1, [2.0, 2], [1.9, 2]], learned=True)
    assert prior.exponents().tolist() == pytest.approx([2.1, 2.0, 1.9], abs=1e-12)
    with torch.no_grad():
        prior.below.fill_(-1e3)
    assert (prior.exponents() >= 0.1).all()
    assert prior.log_prob(random_codes(4)).isfinite().all()


def test_only_learned_exponents_below_the_root_are_learned_at_their_own_rate():
    groups = nested([2.1, [2.0, 2], [1.9, 2]], learned=True).parameter_groups()
    assert [(len(g["params"]), g["params"][0].numel(), g["lr"]) for g in groups] == [(1, 2, 5e-4)]
    assert nested([2.1, [2.0, 2]]).parameter_groups() == []


def test_learning_recovers_the_exponent_of_samples():
    """Maximum likelihood from 20,000 draws of p = 3 finds 3, starting at 2."""
    truth = nested([2.1, [3.0, 3], [3.0, 3]])
    draws = torch.from_numpy(truth.draw_codes(20_000, np.random.default_rng(0)))
    prior = nested([2.1, [2.0, 3], [2.0, 3]], learned=True)
    optimizer = torch.optim.Adam([{**prior.parameter_groups()[0], "lr": 0.05}])
    for _ in range(150):
        optimizer.zero_grad()
        (-prior.log_prob(draws).mean()).backward()
        optimizer.step()
    assert prior.exponents()[1:].tolist() == pytest.approx([3, 3], abs=0.1)


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        ([2.1, [2.2, 4]], "has 4 leaves, but the model 5"),
        ([2.1], "exponent, child"),
        ([0.05, 5], "above 0.1"),
    ],
)
def test_bad_trees_are_refused(tree, said):
    with pytest.raises(Problem, match=said):
        LpNested(latents=5, tree=tree, scale=1.0, learned=False, learning_rate=1e-3)
