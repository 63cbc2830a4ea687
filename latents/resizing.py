"""Images to the size that the networks read, as the reference does it: PIL's Lanczos filter."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SIDE = 64


def resize(image: NDArray[np.uint8], side: int = SIDE) -> NDArray[np.uint8]:
    """(H, W) or (H, W, C) -> (C, side, side), clipped to bytes as uint8 images are by PIL."""
    picture = Image.fromarray(image)
    if picture.size != (side, side):
        picture = picture.resize((side, side), Image.Resampling.LANCZOS)
    pixels = np.asarray(picture)
    return pixels[None] if pixels.ndim == 2 else pixels.transpose(2, 0, 1)
