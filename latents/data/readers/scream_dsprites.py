"""The background picture of scream-dSprites: Munch's painting, resized as in the reference."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from latents.data.factors import FactorGrid
from latents.data.images import ImageSet
from latents.runtime.atomic_files import only
from latents.runtime.errors import Problem

BOX = (350, 274)  # width and height that the picture is resized to fit in
SMALLEST = 64  # side of a crop; the picture must be larger
ONE = FactorGrid(names=("picture",), sizes=(1,), latent=())


def read_original(files: list[Path]) -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the pixels of the picture."""
    path = only(files)
    try:
        with Image.open(path) as picture:
            picture.thumbnail(BOX)
            resized = picture.convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise Problem(f"{path} is not a readable picture ({error})") from error
    if min(resized.size) <= SMALLEST:
        raise Problem(f"{path} is too small for crops of {SMALLEST} pixels: {resized.size}")
    pixels = np.asarray(resized).transpose(2, 0, 1)[None]
    return ImageSet(f"background {path.name}", pixels.shape[1:], ONE), iter([pixels])
