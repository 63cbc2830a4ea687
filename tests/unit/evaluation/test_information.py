"""Discretisation, and information of many pairs at once against one pair at a time."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from latents.evaluation.covariance import changing
from latents.evaluation.information import discretise, entropy, gap_of_best_two, mutual_information


def labels(n: int = 500, seed: int = 0) -> np.ndarray:
    """Columns that depend on each other, of 3, 1, 8 and 2 values, some values never taken."""
    first = np.random.default_rng(seed).integers(3, size=n)
    second = np.random.default_rng(seed + 1).integers(2, size=n)
    return np.stack([first, np.full(n, 5), 3 * first + second - 1, second], axis=1)


def test_discretisation_is_left_closed_with_the_maximum_in_the_last_bin():
    code = np.linspace(0, 20, 21)[:, None]
    assert discretise(code, 20)[:, 0].tolist() == [*range(20), 19]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_each_column_is_cut_between_its_own_extremes(dtype):
    codes = (np.random.default_rng(0).normal(size=(1000, 3)) * [1, 1e-6, 1e6]).astype(dtype)
    found = discretise(codes, 20)
    for column, code in zip(found.T, codes.T.astype(np.float64), strict=True):
        edges = np.histogram(code, 20)[1]
        assert column.tolist() == [(edges[:-1] <= value).sum() - 1 for value in code]


def test_a_constant_column_falls_into_one_bin():
    assert len(np.unique(discretise(np.full((10, 1), 0.1), 20))) == 1


def test_mutual_information_is_that_of_scikit_learn_for_every_pair():
    left, right = labels(), labels(seed=0)[:, [2, 0, 1]]
    expected = [[mutual_info_score(a, b) for b in right.T] for a in left.T]
    assert mutual_information(left, right) == pytest.approx(np.array(expected), abs=1e-12)


def test_mutual_information_of_every_column_with_itself_is_its_entropy():
    information = mutual_information(labels(), labels())
    assert np.diag(information) == pytest.approx(entropy(labels()), abs=1e-12)
    assert information == pytest.approx(information.T, abs=1e-12)


def test_a_constant_informs_of_exactly_nothing():
    information = mutual_information(labels(), labels())
    assert (information[1] == 0).all()
    assert (information[:, 1] == 0).all()


def test_entropy_of_equally_frequent_labels_is_the_logarithm_of_their_number():
    columns = np.stack([np.arange(12) % 3, np.arange(12) % 4, np.zeros(12, int)], axis=1)
    assert entropy(columns) == pytest.approx(np.log([3, 4, 1]), abs=1e-12)


def test_changing_columns_are_told_by_their_values():
    constant = np.full(1001, 0.1)
    columns = np.stack([constant, constant, np.arange(1001)], axis=1)
    columns[-1, 1] = np.nextafter(0.1, 1)
    assert changing(columns).tolist() == [False, True, True]


def test_the_gap_is_between_the_best_two_of_a_column():
    assert gap_of_best_two(np.array([[1.0, 5.0], [4.0, 5.0], [2.5, 0.0]])).tolist() == [1.5, 0]
