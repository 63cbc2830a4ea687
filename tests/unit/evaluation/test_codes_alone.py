"""Scores of codes alone: closed forms, invariances, and the theorems of the paper."""

import numpy as np
import pytest
from scipy.linalg import sqrtm
from sklearn.metrics import mutual_info_score

from latents.evaluation.information import discretise
from latents.evaluation.metrics import (
    averaged_mutual_information,
    correlation_counts,
    effective_rank,
    effective_rank_correlation,
    effective_rank_data,
    total_correlation,
    wasserstein_correlation,
    wasserstein_correlation_normalised,
)
from tests.unit.evaluation.encoders import MODULES, names

of_codes = pytest.mark.parametrize("metric", names(takes="codes"))


def random(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def mixed(n: int = 2000, k: int = 4) -> np.ndarray:
    return random().normal(size=(n, k)) @ random(1).normal(size=(k, k))


def white(n: int = 1000, k: int = 10) -> np.ndarray:
    """Centred codes without any correlation, of equal variance."""
    codes = random().normal(size=(n, k))
    return np.linalg.qr(codes - codes.mean(axis=0))[0]


@of_codes
def test_the_order_of_codes_and_examples_changes_nothing(metric):
    score, codes = MODULES[metric].score, mixed()
    assert score(codes[:, [2, 0, 3, 1]]) == pytest.approx(score(codes), rel=1e-9)
    assert score(codes[::-1]) == pytest.approx(score(codes), rel=1e-9)


@of_codes
def test_shifts_and_a_common_scale_change_nothing_but_units(metric):
    score, codes = MODULES[metric].score, mixed()
    units = 9 if metric == "wasserstein_correlation" else 1  # it is a variance
    assert score(3 * codes + [1, 2, 3, 4]) == pytest.approx(units * score(codes), rel=1e-3)


@of_codes
@pytest.mark.parametrize("chosen", [[0], [3, 1], [0, 2, 3], [0, 1, 2, 3]])
def test_the_matrix_of_some_codes_is_a_part_of_the_matrix_of_all(metric, chosen):
    module, codes = MODULES[metric], mixed()
    part = module.summarise(codes)[np.ix_(chosen, chosen)]
    assert part == pytest.approx(module.summarise(codes[:, chosen]), abs=1e-12)
    assert module.score_matrix(part) == pytest.approx(
        module.score(codes[:, chosen]), abs=1e-12, nan_ok=True
    )


def test_total_correlation_of_two_correlated_gaussians_is_the_closed_form():
    """-1/2 ln(1 - rho^2), from exactly whitened codes."""
    rho = 0.6
    correlated = white(500, 2) @ np.array([[1, rho], [0, np.sqrt(1 - rho**2)]])
    assert total_correlation.score(correlated) == pytest.approx(
        -0.5 * np.log(1 - rho**2), abs=1e-12
    )


def test_total_correlation_is_that_of_the_correlation_matrix():
    codes = random().normal(size=(1000, 5)) @ random(1).normal(size=(5, 5))
    scaled = codes * [1e-3, 1, 10, 1e3, 0.5]
    expected = total_correlation.score(codes)
    assert total_correlation.score(scaled) == pytest.approx(expected, abs=1e-10)
    matrix = np.corrcoef(codes, rowvar=False)
    assert total_correlation.score_matrix(matrix) == pytest.approx(expected, abs=1e-10)


def test_total_correlation_is_the_divergence_of_two_gaussians():
    """KL(N(0, C) || N(0, diag C)); the trace term is the number of codes."""
    matrix = np.cov(mixed(), rowvar=False)
    marginals = np.diag(np.diag(matrix))
    trace = np.trace(np.linalg.solve(marginals, matrix))
    ratio = np.linalg.det(marginals) / np.linalg.det(matrix)
    expected = (trace - len(matrix) + np.log(ratio)) / 2
    assert total_correlation.score_matrix(matrix) == pytest.approx(expected, abs=1e-10)


def test_total_correlation_of_independent_gaussians_has_the_known_floor():
    """d (d - 1) / (4 n) = 0.00225 for d = 10 and n = 10,000."""
    scores = [total_correlation.score(random(s).normal(size=(10_000, 10))) for s in range(20)]
    assert np.mean(scores) == pytest.approx(0.00225, abs=0.0003)


def test_theorem_7_independent_codes_leave_total_correlation_unchanged():
    """Block-diagonal covariance to 1e-10; 10,000 samples to the stated floor."""
    block = np.cov(mixed(), rowvar=False)
    whole = np.block([[block, np.zeros((4, 3))], [np.zeros((3, 4)), np.eye(3)]])
    assert total_correlation.score_matrix(whole) == pytest.approx(
        total_correlation.score_matrix(block), abs=1e-10
    )
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
    codes = mixed(3000)
    labels = list(discretise(codes, 20).T)
    pairs = [mutual_info_score(a, b) for a in labels for b in labels if a is not b]
    assert averaged_mutual_information.score(codes) == pytest.approx(np.mean(pairs), abs=1e-12)


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


def test_independent_uniform_codes_have_the_floor_of_the_plug_in_estimate():
    """(20 - 1)^2 / (2 n) = 0.018 for n = 10,000."""
    scores = [averaged_mutual_information.score(random(s).random((10_000, 10))) for s in range(3)]
    assert np.mean(scores) == pytest.approx(19**2 / 20_000, abs=0.0006)


def test_independent_gaussian_codes_have_the_known_floor():
    scores = [
        averaged_mutual_information.score(random(s).normal(size=(10_000, 10))) for s in range(3)
    ]
    assert np.mean(scores) == pytest.approx(0.0151, abs=0.0006)


def test_effective_rank_of_equal_variances_is_the_number_of_codes():
    for module in (effective_rank, effective_rank_data, effective_rank_correlation):
        assert module.score(white()) == pytest.approx(10, abs=1e-9)


def test_effective_ranks_of_covariance_data_and_correlation_differ():
    """Six variances of 1 and four of 0.05^2: 6.07, 6.83 and 10."""
    codes = white() * ([1] * 6 + [0.05] * 4)
    assert effective_rank.score(codes) == pytest.approx(6.07, abs=0.01)
    assert effective_rank_data.score(codes) == pytest.approx(6.83, abs=0.01)
    assert effective_rank_correlation.score(codes) == pytest.approx(10, abs=1e-9)


def test_effective_rank_of_the_data_is_that_of_their_singular_values():
    codes = mixed()
    values = np.linalg.svd(codes - codes.mean(axis=0), compute_uv=False)
    shares = values / values.sum()
    expected = np.exp(-(shares * np.log(shares)).sum())
    assert effective_rank_data.score(codes) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("module", [effective_rank, effective_rank_data])
def test_effective_rank_changes_with_the_scale_of_one_code(module):
    assert module.score(mixed() * [1, 1, 1, 5]) != pytest.approx(module.score(mixed()), abs=0.01)


def test_effective_rank_of_the_correlation_does_not_change_with_the_scale_of_one_code():
    expected = effective_rank_correlation.score(mixed())
    assert effective_rank_correlation.score(mixed() * [1, 1, 1, 5]) == pytest.approx(expected)


def test_effective_rank_lies_between_one_and_the_number_of_codes():
    code = random().normal(size=1000)
    line = np.stack([code, -2 * code, code], axis=1)
    for module in (effective_rank, effective_rank_data, effective_rank_correlation):
        assert module.score(line) == pytest.approx(1, abs=1e-6)
        assert 1 <= module.score(mixed()) <= 4
        assert np.isnan(module.score(np.zeros((10, 3))))


def test_wasserstein_correlation_is_what_a_matrix_root_gives():
    covariance = np.cov(mixed(), rowvar=False)
    root = sqrtm(np.diag(covariance)[:, None] * covariance).real
    expected = 2 * np.trace(covariance) - 2 * np.trace(root)
    assert wasserstein_correlation.score(mixed()) == pytest.approx(expected, abs=1e-9)
    assert wasserstein_correlation_normalised.score(mixed()) == pytest.approx(
        expected / np.trace(covariance), abs=1e-9
    )


def test_wasserstein_correlation_of_uncorrelated_codes_is_zero():
    assert wasserstein_correlation.score(white()) == pytest.approx(0, abs=1e-12)


def test_wasserstein_correlation_of_two_equal_codes_is_the_closed_form():
    """Variance v, correlation 1: 4 v - 2 sqrt(2) v."""
    code = random().normal(size=1000)
    variance = code.var(ddof=1)
    assert wasserstein_correlation.score(np.stack([code, code], axis=1)) == pytest.approx(
        (4 - 2 * np.sqrt(2)) * variance, abs=1e-7
    )


def test_correlation_counts_are_those_of_numpy():
    codes = mixed(k=8)
    above = np.abs(np.corrcoef(codes, rowvar=False)) > 0.2
    assert correlation_counts.score(codes) == np.triu(above, 1).sum() > 0
    matrix = correlation_counts.summarise(codes)
    assert matrix == pytest.approx(np.corrcoef(codes, rowvar=False), abs=1e-12)
    per_code = correlation_counts.correlated(matrix).sum(axis=1)
    assert per_code.tolist() == (above.sum(axis=1) - 1).tolist()


def test_a_constant_code_correlates_with_nothing_although_its_variance_does_not_round_to_zero():
    constant = np.full(1001, 0.1)
    codes = np.stack([constant, 1e-17 * random().normal(size=1001), constant * 3], axis=1)
    assert np.var(codes[:, 0]) + np.var(codes[:, 2]) > 0
    assert correlation_counts.summarise(codes)[0].tolist() == [0, 0, 0]
    assert correlation_counts.score(codes) == 0
