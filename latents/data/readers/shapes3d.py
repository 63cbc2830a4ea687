"""shapes3D (Burgess & Kim 2018): 480,000 scenes with one solid each, from the published HDF5."""

from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from latents.data.factors import FactorGrid
from latents.data.images import IMAGES_PER_CHUNK, ImageSet
from latents.runtime.atomic_files import only
from latents.runtime.errors import Problem

IMAGE_SHAPE = (3, 64, 64)
GRID = FactorGrid(
    names=("floor hue", "wall hue", "object hue", "scale", "shape", "azimuth"),
    sizes=(10, 10, 10, 8, 4, 15),
    latent=(0, 1, 2, 3, 4, 5),
)
STORED = (GRID.images, 64, 64, 3)


def read_original(files: list[Path]) -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the images of the published HDF5."""
    path = only(files)
    return ImageSet("shapes3D, original file", IMAGE_SHAPE, GRID), _blocks(path)


def _blocks(path: Path) -> Iterator[NDArray[np.uint8]]:
    try:
        with h5py.File(path) as file:
            images = file["images"]
            if images.shape != STORED or images.dtype != np.uint8:
                raise Problem(f"{path}: images is {images.dtype} of {images.shape}, not {STORED}")
            for start in range(0, len(images), IMAGES_PER_CHUNK):
                yield images[start : start + IMAGES_PER_CHUNK].transpose(0, 3, 1, 2)
    except (OSError, KeyError) as error:
        raise Problem(f"{path} is not a readable shapes3D file ({error})") from error
