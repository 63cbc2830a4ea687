"""Chen's gap against cases in closed form and a plain sum over all posteriors."""

from math import e, exp, log, pi, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from latents.evaluation.metrics import chen_mig
from latents.evaluation.metrics.chen_mig import entropies, mixture_density, score, score_factors

Posteriors = tuple[NDArray[np.float64], NDArray[np.float64]]
pytestmark = pytest.mark.filterwarnings("error")


def posteriors(factors: NDArray[np.int64], deviation: float) -> Posteriors:
    """Codes that are the factors times ten."""
    mean = 10.0 * factors
    return mean, np.full_like(mean, 2 * log(deviation))


@pytest.fixture
def factors() -> NDArray[np.int64]:
    return np.tile(np.indices((4, 8)).reshape(2, -1).T, (40, 1))


@pytest.fixture
def uneven() -> Posteriors:
    """Overlapping posteriors of three latents whose deviations differ by three orders."""
    random = np.random.RandomState(1)
    return random.standard_normal((60, 3)), random.uniform(-12, 2, size=(60, 3))


def gaussian_entropy(deviation: float) -> float:
    return log(deviation * sqrt(2 * pi * e))


def test_a_mixture_of_far_gaussians_has_their_entropy_and_that_of_the_choice(factors):
    """H = ln(number of components) + ln(sigma sqrt(2 pi e)) where the components do not meet."""
    found = entropies(*posteriors(factors, 0.5), 1280, np.random.RandomState(0))
    assert found == pytest.approx(
        [log(4) + gaussian_entropy(0.5), log(8) + gaussian_entropy(0.5)], abs=0.06
    )


@pytest.mark.parametrize("deviation", [1e-18, 1e-3, 1e3])
def test_the_entropy_of_a_gaussian_at_any_scale(deviation):
    mean = np.zeros((4000, 1))
    found = entropies(mean, np.full_like(mean, 2 * log(deviation)), 4000, np.random.RandomState(0))
    assert found.item() == pytest.approx(gaussian_entropy(deviation), abs=0.05)


def plain_density(code: float, mean: NDArray[np.float64], deviation: NDArray[np.float64]) -> float:
    """Mean of the densities of one code under each posterior, one after the other."""
    terms = [
        exp(-(((code - m) / s) ** 2) / 2) / (s * sqrt(2 * pi))
        for m, s in zip(mean.tolist(), deviation.tolist(), strict=True)
    ]
    return sum(terms) / len(terms)


@pytest.mark.parametrize("block", [1, 100, 2**17])
def test_the_density_is_the_sum_over_all_posteriors_whatever_the_block(block, uneven, monkeypatch):
    monkeypatch.setattr(chen_mig, "BLOCK", block)
    mean, deviation = uneven[0][:, 0].astype(np.float32), np.exp(uneven[1][:, 0] / 2)
    codes = mean[:41] + deviation[:41] * np.linspace(-4, 4, 41)
    plain = [plain_density(code, mean, deviation) for code in codes]
    assert mixture_density(codes, mean, deviation) == pytest.approx(plain, rel=3e-4)


def test_gaps_are_those_of_a_loop_over_all_codes_and_posteriors(uneven):
    """The same draws, in double precision: information of each latent, then the best two."""
    mean, logvar = uneven
    labels = np.arange(60) % 3
    random = np.random.RandomState(5)

    def plain_entropies(rows: NDArray[np.int64]) -> NDArray[np.float64]:
        chosen = rows[random.permutation(len(rows))[:15]]
        noise = random.standard_normal(len(chosen))
        result = []
        for j in range(3):
            means, deviations = mean[rows, j], np.exp(logvar[rows, j] / 2)
            codes = mean[chosen, j] + np.exp(logvar[chosen, j] / 2) * noise
            result.append(-np.mean([log(plain_density(z, means, deviations)) for z in codes]))
        return np.array(result)

    whole = plain_entropies(np.arange(60))
    within = [plain_entropies(np.flatnonzero(labels == value)) for value in range(3)]
    information = np.maximum(whole - np.mean(within, axis=0), 0) / log(3)
    second, first = sorted(information)[-2:]
    found = score_factors(mean, logvar, labels[:, None], samples=15, seed=5)
    assert second > 0
    assert found.item() == pytest.approx(first - second, abs=1e-5)


def test_single_precision_posteriors_give_nearly_the_same_entropies(uneven):
    single = (array.astype(np.float32) for array in uneven)
    found = entropies(*single, 60, np.random.RandomState(0))
    assert found == pytest.approx(entropies(*uneven, 60, np.random.RandomState(0)), abs=1e-5)


def test_entropies_shift_with_the_scale_of_a_latent_and_not_with_its_place(uneven):
    mean, logvar = uneven
    scales, places = np.array([0.1, 1, 10]), np.array([-5, 0, 5])
    moved = entropies(mean * scales + places, logvar + 2 * np.log(scales), 60, stream())
    expected = entropies(mean, logvar, 60, stream()) + np.log(scales)
    assert moved == pytest.approx(expected, abs=1e-4)


def stream() -> np.random.RandomState:
    return np.random.RandomState(7)


def test_one_code_per_factor_has_a_gap_of_one(factors):
    found = score_factors(*posteriors(factors, 0.5), factors, samples=1280, seed=0)
    assert found == pytest.approx([1, 1], abs=0.08)


def test_a_noisy_code_has_a_gap_of_its_information():
    """Two values at -1 and 1 with deviation 1: I = 0.3369 nats, by numerical integration."""
    coin = np.arange(4000)[:, None] % 2
    mean = np.hstack([2.0 * coin - 1, np.zeros_like(coin)])
    found = score_factors(mean, np.zeros_like(mean), coin, samples=4000, seed=0)
    z = np.linspace(-12, 12, 20_001)
    density = (np.exp(-((z - 1) ** 2) / 2) + np.exp(-((z + 1) ** 2) / 2)) / sqrt(8 * pi)
    information = -np.trapezoid(density * np.log(density), z) - gaussian_entropy(1)
    assert found.item() == pytest.approx(information / log(2), abs=0.05)


def test_two_codes_for_the_same_factor_have_no_gap(factors):
    mean, logvar = posteriors(factors[:, [0, 0]], 0.5)
    found = score_factors(mean, logvar, factors[:, :1], samples=1280, seed=0)
    assert found.item() == 0


def test_codes_without_information_have_no_gap(factors):
    mean, logvar = posteriors(np.zeros_like(factors), 1.0)
    logvar[:, 1] = np.linspace(-1, 1, len(logvar))
    found = score_factors(mean, logvar, factors, samples=500, seed=0)
    assert np.abs(found).max() < 0.1


def test_the_names_of_values_change_nothing(factors):
    given = posteriors(factors, 5.0)
    found = score_factors(*given, 3 * factors + 1, samples=100, seed=0)
    assert (found == score_factors(*given, factors, samples=100, seed=0)).all()


def test_other_seeds_draw_other_codes(factors):
    given = posteriors(factors, 5.0)
    first, second = (score(*given, factors, samples=100, seed=seed) for seed in (0, 1))
    assert first != second


def test_a_factor_that_never_changes_has_no_gap_and_is_left_out_of_the_mean(factors):
    given = posteriors(factors, 0.5)
    fixed = np.insert(factors, 1, 7, axis=1)
    found = score_factors(*given, fixed, samples=1280, seed=0)
    assert np.isnan(found).tolist() == [False, True, False]
    assert score(*given, fixed, samples=1280, seed=0) == np.nanmean(found)
    assert np.isnan(score(*given, fixed[:, 1:2], samples=9, seed=0))


def test_one_code_has_no_second_and_no_gap(factors):
    mean, logvar = posteriors(factors[:, :1], 0.5)
    assert np.isnan(score_factors(mean, logvar, factors, samples=9, seed=0)).all()
