"""The decomposition against closed forms of a linear-Gaussian encoder, and its identity."""

from math import log

import numpy as np
import pytest
import torch

from latents.encoding.elbo_decomposition import decompose, log_aggregate
from latents.models.priors.lp_nested import LpNested
from latents.models.priors.standard_normal import StandardNormal


def linear_gaussian(images: int = 5_000):
    """mu = A x with x ~ N(0, I), constant sigma^2: q(z) is N(0, A A^T + sigma^2 I)."""
    generator = torch.Generator().manual_seed(0)
    mixing = torch.tensor([[1.0, 0.0, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 0.05]]).double()
    x = torch.randn(images, 3, generator=generator, dtype=torch.float64)
    variance = torch.tensor([0.1, 0.2, 0.9]).double()
    return x @ mixing.T, variance.log().expand(images, 3), mixing @ mixing.T + variance.diag()


def run(prior, samples: int = 3000):
    mean, logvar, covariance = linear_gaussian()
    generator = torch.Generator().manual_seed(1)
    return decompose(mean, logvar, prior, samples=samples, generator=generator), covariance.numpy()


def test_every_term_has_its_closed_form():
    """Within 4 standard errors of 3,000 samples, about 0.05 nats."""
    found, covariance = run(StandardNormal(latents=3))
    variance = np.array([0.1, 0.2, 0.9])
    tc = 0.5 * (np.log(np.diag(covariance)).sum() - np.linalg.slogdet(covariance)[1])
    information = 0.5 * (np.linalg.slogdet(covariance)[1] - np.log(variance).sum())
    marginal = np.diag(covariance)
    dimension_wise = 0.5 * (marginal - 1 - np.log(marginal)).sum()
    assert found.total_correlation == pytest.approx(tc, abs=0.05)
    assert found.index_code_information == pytest.approx(information, abs=0.08)
    assert found.dimension_wise == pytest.approx(dimension_wise, abs=0.08)


@pytest.mark.parametrize("prior", ["normal", "nested"])
def test_the_three_terms_add_up_to_the_kl(prior):
    chosen = {
        "normal": StandardNormal(latents=3),
        "nested": LpNested(
            latents=3, tree=[2.1, [1.9, 2], 1], scale=1.0, learned=False, learning_rate=1e-3
        ),
    }[prior]
    found, _ = run(chosen, samples=300)
    parts = found.index_code_information + found.total_correlation + found.dimension_wise
    assert parts == pytest.approx(found.kl, abs=1e-10)


def test_the_kl_is_the_analytic_one_on_average():
    mean, logvar, _ = linear_gaussian()
    found, _ = run(StandardNormal(latents=3), samples=6000)
    analytic = StandardNormal(latents=3).kl(mean, logvar, mean).mean().item()
    assert found.kl == pytest.approx(analytic, abs=0.06)


def test_passive_latents_carry_no_information_and_no_correlation():
    mean, logvar = torch.zeros(500, 4).double(), torch.zeros(500, 4).double()
    generator = torch.Generator().manual_seed(0)
    found = decompose(mean, logvar, StandardNormal(latents=4), samples=300, generator=generator)
    for value in vars(found).values():
        assert value == pytest.approx(0, abs=1e-10)


def test_well_separated_images_have_the_information_of_their_number():
    """Posteriors that never overlap: I(x; z) = ln N."""
    mean = torch.arange(50.0).double()[:, None] * 100
    generator = torch.Generator().manual_seed(0)
    found = decompose(
        mean,
        torch.zeros(50, 1).double(),
        StandardNormal(latents=1),
        samples=200,
        generator=generator,
    )
    assert found.index_code_information == pytest.approx(log(50), abs=1e-10)


def test_aggregates_do_not_depend_on_the_chunks(monkeypatch):
    mean, logvar, _ = linear_gaussian(200)
    whole = log_aggregate(mean[:150], mean, logvar)
    monkeypatch.setattr("latents.encoding.elbo_decomposition.ELEMENTS_AT_ONCE", 7 * 600)
    for a, b in zip(whole, log_aggregate(mean[:150], mean, logvar), strict=True):
        torch.testing.assert_close(a, b, atol=1e-12, rtol=0)
