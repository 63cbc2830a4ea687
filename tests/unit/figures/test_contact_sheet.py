"""Contact sheets: the right images in the right places."""

import numpy as np
import pytest

from latents.data.factors import FactorGrid, FactorTable
from latents.figures.contact_sheet import COLUMNS, draw_sheet, plan_strips, traverse

GRID = FactorGrid(("one", "few", "many"), (1, 3, 40), (2,))


def test_a_traversal_changes_one_factor_and_shows_its_ends():
    values, rows = traverse(GRID, 2)
    assert len(values) == COLUMNS
    assert (values[0], values[-1]) == (0, 39)
    factors = GRID.values_at(rows)
    assert (factors[:, 2] == values).all()
    assert (factors[:, :2] == [0, 1]).all()


def test_without_a_grid_the_nearest_image_has_the_value_itself():
    table = FactorTable(("a", "b"), (3, 3), (0,), np.array([[0, 1], [1, 0], [2, 2], [2, 1]]))
    values, rows = traverse(table, 0)
    assert values.tolist() == [0, 1, 2]
    assert rows.tolist() == [0, 1, 3]


def test_every_factor_with_values_has_a_strip_and_augmented_images_one_more():
    strips = plan_strips(GRID, repeat=True)
    labels = [strip.label.replace("\n", " ") for strip in strips]
    assert labels == [
        "few 3 values, no ground truth",
        "many 40 values",
        "the same image, other draws",
    ]
    assert strips[0].captions == ["0", "1", "2"]
    assert set(strips[2].rows) == {strips[0].rows[0]}
    assert plan_strips(GRID, repeat=False)[1].rows.tolist() == strips[1].rows.tolist()
    assert not plan_strips(FactorGrid(("one",), (1,), (0,)), repeat=True)


@pytest.mark.parametrize("channels", [1, 3])
def test_a_sheet_shows_each_image_in_its_place(channels):
    strips = plan_strips(GRID, repeat=False)
    shades = [strip.rows / 255 for strip in strips]
    images = [np.tile(shade[:, None, None, None], (1, channels, 8, 8)) for shade in shades]
    sheet = draw_sheet(strips, images, "flat")
    assert len(sheet.axes) == 2 * COLUMNS
    shown = [axis.images[0].get_array()[0, 0] for axis in sheet.axes if axis.images]
    assert np.allclose(np.stack(shown).reshape(len(shown), -1).T, np.concatenate(shades))
    assert [axis.get_title() for axis in sheet.axes[:4]] == ["0", "1", "2", ""]
