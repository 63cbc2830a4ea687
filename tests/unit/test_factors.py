import numpy as np
import pytest

from latents.datasets.dsprites import GRID


def test_rows_and_factors_are_inverse_over_the_whole_grid():
    rows = np.arange(GRID.images)
    assert (GRID.rows(GRID.factors(rows)) == rows).all()


def test_row_is_the_documented_dot_product():
    factors = np.array([[0, 2, 5, 39, 31, 30], [0, 1, 0, 3, 0, 7]])
    weights = np.array([737280, 245760, 40960, 1024, 32, 1])
    assert (GRID.rows(factors) == factors @ weights).all()


def test_draws_follow_the_reference_order_of_random_calls():
    drawn = GRID.draw(np.random.RandomState(5), 16)
    random = np.random.RandomState(5)
    for index in (1, 2, 3, 4, 5):
        assert (drawn[:, index] == random.randint(GRID.sizes[index], size=16)).all()
    assert (drawn[:, 0] == 0).all()


def test_evaluation_vectors_are_drawn_sixteen_at_a_time():
    random = np.random.RandomState(3)
    by_hand = np.concatenate([GRID.draw(random, n) for n in (16, 16, 8)])
    assert (GRID.draw_in_chunks(3, 40) == by_hand).all()


@pytest.mark.parametrize("index", GRID.latent)
def test_marginals_are_uniform(index):
    """Chi-square statistic below the 0.999 quantile, from 50,000 draws of a fixed seed."""
    from scipy.stats import chisquare

    counts = np.bincount(GRID.draw(np.random.RandomState(0), 50_000)[:, index])
    assert len(counts) == GRID.sizes[index]
    assert chisquare(counts).pvalue > 0.001
