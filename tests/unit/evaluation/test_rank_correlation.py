"""Rank correlations against SciPy, and what their intervals cover."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from latents.evaluation import rank_correlation
from latents.evaluation.rank_correlation import compare, correlate, interval

RANDOM = np.random.RandomState(0)


def test_spearman_with_and_without_ties():
    for a, b in (
        (RANDOM.randn(50), RANDOM.randn(50)),
        (RANDOM.randint(4, size=50), RANDOM.randint(4, size=50)),
    ):
        assert correlate(a, b) == pytest.approx(spearmanr(a, b).statistic, abs=1e-12)


def test_intervals_cover_the_truth_about_as_often_as_they_say(monkeypatch):
    """Bivariate normal, r = 0.5: rho = 6 / pi asin(r / 2)."""
    monkeypatch.setattr(rank_correlation, "RESAMPLES", 200)
    truth = 6 / np.pi * np.arcsin(0.25)
    covered = 0
    for seed in range(60):
        random = np.random.RandomState(seed)
        a = random.randn(60)
        b = 0.5 * a + np.sqrt(0.75) * random.randn(60)
        low, high = interval(a, b, seed=0)
        covered += low <= truth <= high
    assert 50 <= covered <= 60


def test_models_without_a_score_are_left_out_and_counted():
    a = np.array([1.0, 2, 3, np.nan, 5])
    b = np.array([1.0, 2, 3, 4, np.inf])
    found = compare(a, b, seed=0)
    assert found["models"] == 3
    assert found["spearman"] == pytest.approx(1)
    assert np.isnan(compare(a[:2], b[:2], seed=0)["spearman"])
    assert np.isnan(compare(np.ones(9), np.arange(9.0), seed=0)["spearman"])


def test_the_same_seed_gives_the_same_interval():
    a, b = RANDOM.randn(2, 30)
    assert interval(a, b, seed=3) == interval(a, b, seed=3)
    assert interval(a, b, seed=3) != interval(a, b, seed=4)
