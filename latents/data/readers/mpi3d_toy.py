"""MPI3D toy (Gondal et al. 2019): 460,800 renderings of a robot arm, from the published npz."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latents.data.archives import npz_blocks
from latents.data.factors import FactorGrid
from latents.data.images import ImageSet
from latents.runtime.atomic_files import only

IMAGE_SHAPE = (3, 64, 64)
GRID = FactorGrid(
    names=("color", "shape", "size", "camera height", "background", "first joint", "second joint"),
    sizes=(4, 4, 2, 3, 3, 40, 40),
    latent=(0, 1, 2, 3, 4, 5, 6),
)
STORED = (GRID.images, 64, 64, 3)


def read_original(files: list[Path]) -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the images of the published npz."""
    path = only(files)
    blocks = (block.transpose(0, 3, 1, 2) for block in npz_blocks(path, "images", STORED))
    return ImageSet("MPI3D toy, original file", IMAGE_SHAPE, GRID), blocks
