"""Re-rendered dSprites: 737,280 binary 64x64 sprites from their geometry, without a download.

The geometry was recovered from real frames of the dataset (Matthey et al. 2017);
`tests/unit/data/test_dsprites.py` compares it with them. The images are called "re-rendered
dSprites", never "the original file".
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from latents.data.images import ImageSet
from latents.data.readers.dsprites import GRID, IMAGE_SHAPE

SOURCE = "dSprites re-rendered"
SIDE = 64
UNIT = 0.3 * SIDE  # side of the square at scale 1, in pixels
SCALES = np.linspace(0.5, 1, 6)
ANGLES = np.linspace(0, 2 * np.pi, 40)
CENTRES = 16 + 32 * np.linspace(0, 1, 32)  # pixels, the same on both axes
SUBPIXEL = 256  # vertices are rounded to 1/256 pixel
ALL_LIT = np.uint64(0xFFFFFFFFFFFFFFFF)


def square() -> NDArray[np.float64]:
    return np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def ellipse(vertices: int = 100) -> NDArray[np.float64]:
    t = 2 * np.pi * np.arange(vertices) / vertices
    return np.stack([1.33 * np.cos(t) / 2, np.sin(t) / 1.33 / 2], axis=1)


def heart(vertices: int = 150) -> NDArray[np.float64]:
    t = 2 * np.pi * np.arange(vertices) / vertices
    y = (13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 29
    return np.stack([np.sin(t) ** 3 / 2, -0.075 - y], axis=1)


def outline(shape: int, scale: int, orientation: int) -> NDArray[np.float64]:
    """Return vertices around the sprite's centre, in pixels, y down, (vertices, 2)."""
    x, y = (UNIT * SCALES[scale] * (square, ellipse, heart)[shape]()).T
    cos, sin = np.cos(ANGLES[orientation]), np.sin(ANGLES[orientation])
    return np.stack([x * cos + y * sin, -x * sin + y * cos], axis=1)


def render_sprite(vertices: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Return one sprite at all 32 x 32 positions: (x, y, 64) rows of 64 pixels, top bit leftmost.

    Even-odd rule at pixel centres: a pixel is lit when an odd number of edges cross its row to
    the right of it, so its row is the exclusive-or of one run of ones per crossing.
    """
    xs, ys = (np.round((CENTRES[:, None] + v) * SUBPIXEL) / SUBPIXEL for v in vertices.T)
    x1, y1 = np.roll(xs, -1, axis=1), np.roll(ys, -1, axis=1)  # (32, vertices): edge ends
    row_centres = np.arange(SIDE) + 0.5
    starts_below = ys[:, None, :] >= row_centres[:, None]  # (y, 64, vertices)
    crosses = starts_below != np.roll(starts_below, -1, axis=2)
    y, row, edge = np.nonzero(crosses)
    along = (row_centres[row] - ys[y, edge]) / (y1[y, edge] - ys[y, edge])
    crossing = xs[:, edge] + along * (x1[:, edge] - xs[:, edge])  # (x, crossings)
    lit_left_of = np.clip(np.ceil(crossing - 0.5), 0, SIDE).astype(np.uint64)
    runs = ~_right_of(lit_left_of)
    image = np.zeros((len(CENTRES), len(CENTRES), SIDE), dtype=np.uint64)
    starts = np.flatnonzero(np.r_[True, (np.diff(y) != 0) | (np.diff(row) != 0)])
    image[:, y[starts], row[starts]] = np.bitwise_xor.reduceat(runs, starts, axis=1)
    return image


def _right_of(column: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return rows with lit pixels from `column` (0..64) on; C leaves a shift by 64 undefined."""
    shifted = ALL_LIT >> np.minimum(column, np.uint64(SIDE - 1))
    return np.where(column == SIDE, np.uint64(0), shifted)


def render() -> NDArray[np.uint8]:
    """Return all images in dataset order as packed bits, (737280, 512)."""
    _, shapes, scales, orientations, _, _ = GRID.sizes
    sprites = [
        render_sprite(outline(shape, scale, orientation))
        for shape in range(shapes)
        for scale in range(scales)
        for orientation in range(orientations)
    ]
    return np.stack(sprites).astype(">u8").view(np.uint8).reshape(GRID.images, -1)


def make_twin() -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the rendered images."""
    return ImageSet(SOURCE, IMAGE_SHAPE, GRID, binary=True), iter([render()])
