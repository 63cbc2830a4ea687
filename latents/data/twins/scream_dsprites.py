"""Painted background for scream-dSprites, for use without a photograph of the painting.

Red and yellow waves above, dark blue and green ones below, a pale path across: colours and scales
of structure resemble the painting's, and nothing else does.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from latents.data.images import ImageSet
from latents.data.readers.scream_dsprites import BOX, ONE

HEIGHT = BOX[1]
WIDTH = 220  # the painting's proportions
SKY = np.array([[0.55, 0.16, 0.10], [0.86, 0.42, 0.16], [0.93, 0.72, 0.34], [0.70, 0.33, 0.18]])
WATER = np.array([[0.12, 0.16, 0.26], [0.24, 0.33, 0.38], [0.36, 0.40, 0.30], [0.16, 0.20, 0.22]])
PATH = np.array([[0.58, 0.42, 0.28], [0.42, 0.28, 0.20], [0.66, 0.52, 0.36], [0.36, 0.26, 0.22]])


def make_twin() -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the painted picture."""
    pixels = np.round(255 * paint()).astype(np.uint8).transpose(2, 0, 1)[None]
    return ImageSet("procedural background", pixels.shape[1:], ONE), iter([pixels])


def paint() -> NDArray[np.float64]:
    """Return the picture, (height, width, 3) in [0, 1]."""
    y, x = np.mgrid[0 : 1 : HEIGHT * 1j, 0 : WIDTH / HEIGHT : WIDTH * 1j]
    wave = y + 0.05 * np.sin(7 * x + 3 * y) + 0.03 * np.sin(17 * x - 5 * y + 1)
    strokes = wave + 0.012 * np.sin(60 * x + 40 * np.sin(4 * y)) + 0.006 * np.sin(150 * y + 30 * x)
    sky, water = _bands(SKY, 14 * strokes), _bands(WATER, 9 * strokes + 3 * x * y)
    path = _bands(PATH, 16 * (x + 1.1 * y) + 0.6 * np.sin(90 * y))
    picture = _blend(sky, water, wave - 0.42)
    return np.clip(_blend(picture, path, 0.9 * x + y - 1.25), 0, 1)


def _bands(colours: NDArray[np.float64], phase: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return colours one after the other along `phase`, each blending into the next."""
    place = phase % len(colours)
    first = place.astype(int)
    share = (place - first)[..., None]
    return np.asarray((1 - share) * colours[first] + share * colours[(first + 1) % len(colours)])


def _blend(
    here: NDArray[np.float64], there: NDArray[np.float64], distance: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return `there` where `distance` is positive and `here` elsewhere, with a soft edge."""
    share = 1 / (1 + np.exp(-distance / 0.008))[..., None]
    return np.asarray((1 - share) * here + share * there)
