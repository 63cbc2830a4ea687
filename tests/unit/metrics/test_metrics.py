"""Scores against the reference implementation's values, closed forms, and theorems."""

import json
from importlib import import_module

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from latents.config import registry
from latents.metrics import averaged_mutual_information, effective_rank, total_correlation
from latents.variables import classify, combine

REFERENCE_NAMES = {
    "total_correlation": "gaussian_total_correlation",
    "averaged_mutual_information": "averaged_mutual_information",
    "effective_rank": "effective_rank",
}
CASES = ("perfect", "polarised", "rotated")


def random(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("metric", REFERENCE_NAMES)
@pytest.mark.parametrize("representation", ["mean", "sampled"])
def test_scores_equal_the_reference_implementation(case, metric, representation, shared_data):
    arrays = np.load(shared_data / "reference_scores" / f"{case}.npz")
    expected = json.loads((shared_data / "reference_scores" / f"{case}.json").read_text())
    types = classify(arrays["variance"], 0.1)
    assert types == expected["variable_types"]
    score = import_module(f"latents.metrics.{metric}").score
    for combination in ("full", "active", "active_mixed"):
        codes = arrays[representation][:, combine(types, "any")[combination]]
        reference = expected[representation][combination][REFERENCE_NAMES[metric]]
        assert score(codes) == pytest.approx(reference, abs=1e-9), combination


@pytest.mark.parametrize("metric", registry("metrics"))
def test_every_metric_ignores_the_order_of_codes_and_examples(metric):
    score = import_module(f"latents.metrics.{metric}").score
    codes = random().normal(size=(2000, 4)) @ random(1).normal(size=(4, 4))
    assert score(codes[:, [2, 0, 3, 1]]) == pytest.approx(score(codes), rel=1e-9)
    assert score(codes[::-1]) == pytest.approx(score(codes), rel=1e-9)


@pytest.mark.parametrize("metric", registry("metrics"))
def test_every_metric_ignores_a_common_scale_and_shifts(metric):
    score = import_module(f"latents.metrics.{metric}").score
    codes = random().normal(size=(2000, 4)) @ random(1).normal(size=(4, 4))
    assert score(3 * codes + [1, 2, 3, 4]) == pytest.approx(score(codes), rel=1e-3)


def test_total_correlation_of_two_correlated_gaussians_is_the_closed_form():
    """-1/2 ln(1 - rho^2), from exactly whitened codes."""
    codes = random().normal(size=(500, 2))
    white = np.linalg.qr(codes - codes.mean(axis=0))[0]
    rho = 0.6
    correlated = white @ np.array([[1, rho], [0, np.sqrt(1 - rho**2)]])
    assert total_correlation.score(correlated) == pytest.approx(
        -0.5 * np.log(1 - rho**2), abs=1e-12
    )


def test_total_correlation_is_that_of_the_correlation_matrix():
    codes = random().normal(size=(1000, 5)) @ random(1).normal(size=(5, 5))
    scaled = codes * [1e-3, 1, 10, 1e3, 0.5]
    assert total_correlation.score(scaled) == pytest.approx(
        total_correlation.score(codes), abs=1e-10
    )


def test_theorem_7_independent_codes_leave_total_correlation_unchanged():
    """Block-diagonal covariance to 1e-10; 10,000 samples to the stated floor."""
    codes = random().normal(size=(10_000, 3)) @ random(1).normal(size=(3, 3))
    noise = random(2).normal(size=(10_000, 4))
    both = np.hstack([codes, noise])
    exact = np.linalg.qr(both - both.mean(axis=0))[0]
    blocks = np.hstack([exact[:, :3] @ random(3).normal(size=(3, 3)), exact[:, 3:]])
    assert total_correlation.score(blocks) == pytest.approx(
        total_correlation.score(blocks[:, :3]), abs=1e-10
    )
    assert abs(total_correlation.score(both) - total_correlation.score(codes)) < 0.005


def test_total_correlation_of_a_constant_code_is_infinite():
    codes = np.stack([np.arange(10.0), np.ones(10)], axis=1)
    assert total_correlation.score(codes) == np.inf


def test_total_correlation_of_collinear_codes_is_as_large_as_rounding_allows():
    code = np.arange(10.0)
    assert total_correlation.score(np.stack([code, 2 * code], axis=1)) > 15


def test_mutual_information_agrees_with_scikit_learn():
    codes = random().normal(size=(3000, 4)) @ random(1).normal(size=(4, 4))
    labels = [averaged_mutual_information.discretise(code) for code in codes.T]
    pairs = [mutual_info_score(a, b) for a in labels for b in labels if a is not b]
    assert averaged_mutual_information.score(codes) == pytest.approx(np.mean(pairs), abs=1e-12)


def test_discretisation_is_left_closed_with_the_maximum_in_the_last_bin():
    code = np.linspace(0, 20, 21)
    assert averaged_mutual_information.discretise(code).tolist() == [*range(20), 19]


def test_theorem_8_passive_variables_dilute_averaged_mutual_information():
    """Two dependent codes of information c and m passive ones: c * 2 / ((m+2)(m+1)) + floor."""
    pair = random().multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], size=10_000)
    alone = averaged_mutual_information.score(pair)
    scores = []
    for m in range(1, 6):
        diluted = averaged_mutual_information.score(
            np.hstack([pair, random(m).normal(size=(10_000, m))])
        )
        share = 2 / ((m + 2) * (m + 1))
        assert diluted == pytest.approx(alone * share + 0.0151 * (1 - share), abs=0.002)
        scores.append(diluted)
    assert scores == sorted(scores, reverse=True)


def test_independent_gaussian_codes_have_the_known_floor():
    scores = [
        averaged_mutual_information.score(random(s).normal(size=(10_000, 10))) for s in range(3)
    ]
    assert np.mean(scores) == pytest.approx(0.0151, abs=0.0006)


def test_effective_rank_of_equal_variances_is_the_number_of_codes():
    white = np.linalg.qr(random().normal(size=(1000, 10)))[0]
    white = np.linalg.qr(white - white.mean(axis=0))[0]
    assert effective_rank.score(white) == pytest.approx(10, abs=1e-9)


def test_effective_rank_uses_the_covariance():
    """Six variances of 1 and four of 0.05^2: 6.07 from the covariance, 6.83 from the data."""
    white = np.linalg.qr(random().normal(size=(1000, 10)))[0]
    white = np.linalg.qr(white - white.mean(axis=0))[0]
    assert effective_rank.score(white * ([1] * 6 + [0.05] * 4)) == pytest.approx(6.07, abs=0.01)


def test_effective_rank_lies_between_one_and_the_number_of_codes():
    code = random().normal(size=1000)
    assert effective_rank.score(np.stack([code, -2 * code, code], axis=1)) == pytest.approx(
        1, abs=1e-6
    )
    assert np.isnan(effective_rank.score(np.zeros((10, 3))))
