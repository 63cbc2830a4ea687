"""Chen's gap against a case in closed form."""

from math import log, pi

import pytest
import torch

from latents.chen_mig import entropies, gaps


def posteriors(factors: torch.Tensor, spread: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Codes that are the factors times ten, with a variance of `spread` squared."""
    mean = 10.0 * factors.double()
    return mean, torch.full_like(mean, 2 * log(spread))


@pytest.fixture
def factors() -> torch.Tensor:
    return torch.cartesian_prod(torch.arange(4), torch.arange(8)).repeat(40, 1)


def test_a_mixture_of_far_gaussians_has_their_entropy_and_that_of_the_choice(factors):
    """H = ln(number of components) + ln(sigma sqrt(2 pi e)) where the components do not meet."""
    mean, logvar = posteriors(factors, 0.5)
    found = entropies(mean, logvar, 1280, torch.Generator().manual_seed(0))
    gaussian = log(0.5) + 0.5 * log(2 * pi) + 0.5
    expected = torch.tensor([log(4) + gaussian, log(8) + gaussian], dtype=torch.float64)
    torch.testing.assert_close(found, expected, atol=0.06, rtol=0)


def test_one_code_per_factor_has_a_gap_of_one(factors):
    found = gaps(*posteriors(factors, 0.5), factors, samples=1280, generator=torch.Generator())
    assert found.tolist() == pytest.approx([1, 1], abs=0.08)


def test_two_codes_for_the_same_factor_have_no_gap(factors):
    mean, logvar = posteriors(factors[:, :1].repeat(1, 2), 0.5)
    found = gaps(mean, logvar, factors[:, :1], samples=1280, generator=torch.Generator())
    assert found.item() == pytest.approx(0, abs=0.08)


def test_codes_that_know_nothing_have_no_gap(factors):
    mean, logvar = posteriors(torch.zeros_like(factors), 1.0)
    found = gaps(mean, logvar, factors, samples=500, generator=torch.Generator())
    assert found.abs().max() < 0.1


def test_one_code_has_no_gap_to_speak_of(factors):
    mean, logvar = posteriors(factors[:, :1], 0.5)
    assert gaps(mean, logvar, factors, samples=9, generator=torch.Generator()).isnan().all()
