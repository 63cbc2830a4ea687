"""Contact sheets: the right images in the right places."""

import numpy as np
import torch

from latents.batches import ImageSource, StoredImages
from latents.contact_sheet import COLUMNS, draw_sheet, traverse
from latents.factors import FactorGrid, FactorTable
from latents.images import ImageSet
from latents.variation import build_variation

GRID = FactorGrid(("one", "few", "many"), (1, 3, 40), (2,))


def test_a_traversal_changes_one_factor_and_shows_its_ends():
    values, rows = traverse(GRID, 2)
    assert len(values) == COLUMNS
    assert (values[0], values[-1]) == (0, 39)
    factors = GRID.factors(rows)
    assert (factors[:, 2] == values).all()
    assert (factors[:, :2] == [0, 1]).all()


def test_without_a_grid_the_nearest_image_has_the_value_itself():
    table = FactorTable(("a", "b"), (3, 3), (0,), np.array([[0, 1], [1, 0], [2, 2], [2, 1]]))
    values, rows = traverse(table, 0)
    assert values.tolist() == [0, 1, 2]
    assert rows.tolist() == [0, 1, 3]


def test_a_sheet_shows_every_factor_with_values_and_other_draws():
    pixels = np.arange(120, dtype=np.uint8)[:, None].repeat(64 * 64, axis=1)
    about = ImageSet("flat", (1, 64, 64), GRID)
    plain = ImageSource(StoredImages(about, pixels, torch.device("cpu")))
    sheet = draw_sheet(plain, "flat")
    assert len(sheet.axes) == 2 * COLUMNS
    shown = [float(axis.images[0].get_array()[0, 0]) * 255 for axis in sheet.axes if axis.images]
    expected = [*traverse(GRID, 1)[1], *traverse(GRID, 2)[1]]
    assert np.allclose(shown, expected)
    varied = ImageSource(plain.images, build_variation("tint", None))
    assert len(draw_sheet(varied, "tinted").axes) == 3 * COLUMNS
