"""What is said of each latent, against SciPy and made-up codes."""

import numpy as np
import pytest
from scipy.stats import ks_1samp, norm

from latents.encoding.snapshots import tabulate_snapshots
from latents.evaluation.latent_statistics import (
    describe_latents,
    distance_to_normal,
    peak_holds_zero,
)
from latents.evaluation.representation import Representation

RANDOM = np.random.RandomState(0)


def test_distance_to_the_normal_is_scipys():
    for code in (RANDOM.randn(300), RANDOM.randn(300) * 0.2 + 1):
        assert distance_to_normal(code) == pytest.approx(ks_1samp(code, norm.cdf).statistic)


def test_the_peak_is_the_fullest_bin():
    assert peak_holds_zero(np.r_[np.zeros(50), RANDOM.randn(20)])
    assert not peak_holds_zero(np.r_[np.full(50, 3.0), RANDOM.randn(20)])


def test_latents_of_each_type():
    """Latent 0 passive and following latent 1, latent 1 active, latent 2 active alone."""
    active = RANDOM.randn(5000)
    mean = np.stack([0.01 * active, active, RANDOM.randn(5000)], axis=1)
    variance = np.tile([1.0, 1e-4, 1e-4], (5000, 1))
    sampled = mean + np.sqrt(variance) * RANDOM.randn(5000, 3)
    floats = (array.astype(np.float32) for array in (mean, variance, sampled))
    made = Representation(*floats, factors=np.zeros((5000, 1), int), indices=np.arange(5000))
    passive, first, second = describe_latents(made)
    assert passive["variance_of_mean"] == pytest.approx(1e-4, rel=0.1)
    assert passive["variance_of_sampled"] == pytest.approx(1, abs=0.05)
    assert passive["distance_to_normal"] < 0.05
    assert passive["distance_mean_sampled"] > 0.4
    assert first["distance_mean_sampled"] < 0.02
    assert passive["largest_correlation"] == pytest.approx(1, abs=1e-3)
    assert second["largest_correlation"] < 0.05
    assert (passive["latent"], passive["mean_variance"]) == (0, pytest.approx(1))


def test_snapshots_hold_every_pair_once():
    matrix = np.array([[1, 0.2, 0.3], [0.2, 1, 0.4], [0.3, 0.4, 1]])
    table = tabulate_snapshots({10: matrix, 20: -matrix})
    assert len(table) == 6
    assert table.query("step == 20 and a == 1 and b == 2")["correlation"].item() == -0.4
