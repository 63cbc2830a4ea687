"""Factor grids of all datasets: bijections, the reference's order of draws, uniform marginals."""

import numpy as np
import pytest
from scipy.stats import chisquare

from latents.data.factors import FactorTable, chunks
from latents.data.readers.dsprites import GRID
from latents.runtime.plugins import load
from latents.workflow.registry import registry

GRIDS = {
    name: module.GRID
    for name in registry("data/readers")
    if hasattr(module := load("data/readers", name), "GRID")
}
PUBLISHED = {
    "dsprites": 737_280,
    "smallnorb": 48_600,
    "cars3d": 17_568,
    "shapes3d": 480_000,
    "mpi3d_toy": 460_800,
    "faces3d": 127_050,
}


def test_every_grid_has_its_published_number_of_images():
    assert {name: grid.images for name, grid in GRIDS.items()} == PUBLISHED


@pytest.mark.parametrize("name", GRIDS)
def test_rows_and_factors_are_inverse_over_the_whole_grid(name):
    grid = GRIDS[name]
    rows = np.arange(grid.images)
    factors = grid.values_at(rows)
    assert (grid.rows(factors) == rows).all()
    assert (factors.max(axis=0) == np.array(grid.sizes) - 1).all()
    assert (factors[1] == [0] * (len(grid.sizes) - 1) + [1]).all()  # the last one is fastest


def test_row_is_the_documented_dot_product():
    factors = np.array([[0, 2, 5, 39, 31, 30], [0, 1, 0, 3, 0, 7]])
    weights = np.array([737280, 245760, 40960, 1024, 32, 1])
    assert (GRID.rows(factors) == factors @ weights).all()


def test_draws_follow_the_reference_order_of_random_calls():
    drawn = GRID.draw_values(np.random.RandomState(5), 16)
    random = np.random.RandomState(5)
    for index in (1, 2, 3, 4, 5):
        assert (drawn[:, index] == random.randint(GRID.sizes[index], size=16)).all()
    assert (drawn[:, 0] == 0).all()


def test_nuisances_are_drawn_after_the_ground_truth():
    grid = GRIDS["smallnorb"]
    drawn = grid.draw_values(np.random.RandomState(5), 16)
    random = np.random.RandomState(5)
    for index in (0, 2, 3, 4, 1):
        assert (drawn[:, index] == random.randint(grid.sizes[index], size=16)).all()


@pytest.mark.parametrize(
    ("name", "factor"), [(name, i) for name, grid in GRIDS.items() for i in range(len(grid.sizes))]
)
def test_marginals_are_uniform(name, factor):
    """Chi-square statistic below the 0.999 quantile, from 50,000 draws of a fixed seed."""
    counts = np.bincount(GRIDS[name].draw_values(np.random.RandomState(0), 50_000)[:, factor])
    assert len(counts) == GRIDS[name].sizes[factor]
    assert len(counts) == 1 or chisquare(counts).pvalue > 0.001


def test_rows_of_a_table_are_drawn_uniformly():
    values = np.array([[0, 0], [0, 1], [1, 1]])
    table = FactorTable(("a", "b"), (2, 2), (0,), values)
    rows = table.draw_rows(np.random.RandomState(0), 30_000)
    assert chisquare(np.bincount(rows, minlength=3)).pvalue > 0.001
    assert (table.values_at(rows) == values[rows]).all()
    assert (table.images, table.latent_names) == (3, ("a",))


@pytest.mark.parametrize("count", [1, 16, 40])
def test_examples_come_sixteen_at_a_time(count):
    portions = list(chunks(count))
    assert sum(portions) == count
    assert all(portion == 16 for portion in portions[:-1])
