"""The picture behind scream-dSprites: Munch's painting, shrunk as the reference does."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from latents.factors import FactorGrid
from latents.files import only
from latents.images import ImageSet
from latents.problem import Problem

BOX = (350, 274)  # width and height it must fit in
SMALLEST = 64  # a crop, and one place more
ONE = FactorGrid(names=("picture",), sizes=(1,), latent=())


def read_original(files: list[Path]) -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    path = only(files)
    try:
        with Image.open(path) as picture:
            picture.thumbnail(BOX)
            shrunk = picture.convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise Problem(f"{path} is not a readable picture ({error})") from error
    if min(shrunk.size) <= SMALLEST:
        raise Problem(f"{path} is too small for crops of {SMALLEST} pixels: {shrunk.size}")
    pixels = np.asarray(shrunk).transpose(2, 0, 1)[None]
    return ImageSet(f"background {path.name}", pixels.shape[1:], ONE), iter([pixels])
