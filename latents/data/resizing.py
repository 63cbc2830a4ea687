"""Resizing to the networks' input size, with PIL's Lanczos filter as in the reference."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SIDE = 64


def resize(image: NDArray[np.uint8], side: int = SIDE) -> NDArray[np.uint8]:
    """Return an image (H, W) or (H, W, C) as (C, side, side), clipped to bytes by PIL."""
    picture = Image.fromarray(image)
    if picture.size != (side, side):
        picture = picture.resize((side, side), Image.Resampling.LANCZOS)
    pixels = np.asarray(picture)
    return pixels[None] if pixels.ndim == 2 else pixels.transpose(2, 0, 1)
