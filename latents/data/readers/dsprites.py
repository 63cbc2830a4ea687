"""dSprites (Matthey et al. 2017): 737,280 binary sprites, from the published npz or HDF5 file."""

from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from latents.data.archives import npz_blocks
from latents.data.factors import FactorGrid
from latents.data.images import IMAGES_PER_CHUNK, ImageSet
from latents.runtime.atomic_files import only
from latents.runtime.errors import Problem

IMAGE_SHAPE = (1, 64, 64)
GRID = FactorGrid(
    names=("color", "shape", "scale", "orientation", "x", "y"),
    sizes=(1, 3, 6, 40, 32, 32),
    latent=(1, 2, 3, 4, 5),
)
STORED = (GRID.images, 64, 64)


def read_original(files: list[Path]) -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the packed images; the npz's pickled metadata is never read."""
    path = only(files)
    blocks = npz_blocks(path, "imgs", STORED) if path.suffix == ".npz" else _hdf5_blocks(path)
    about = ImageSet("dSprites, original file", IMAGE_SHAPE, GRID, binary=True)
    return about, (_pack(block, path) for block in blocks)


def _hdf5_blocks(path: Path) -> Iterator[NDArray[np.uint8]]:
    try:
        with h5py.File(path) as file:
            images = file["imgs"]
            if images.shape != STORED or images.dtype != np.uint8:
                raise Problem(f"{path}: imgs is {images.dtype} of {images.shape}, not {STORED}")
            for start in range(0, len(images), IMAGES_PER_CHUNK):
                yield images[start : start + IMAGES_PER_CHUNK]
    except (OSError, KeyError) as error:
        raise Problem(f"{path} is not a readable dSprites file ({error})") from error


def _pack(block: NDArray[np.uint8], path: Path) -> NDArray[np.uint8]:
    if block.max(initial=0) > 1:
        raise Problem(f"{path}: imgs holds other values than 0 and 1")
    return np.packbits(block.reshape(len(block), -1), axis=1)
