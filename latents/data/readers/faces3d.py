"""3D faces (Paysan et al. 2009): fifty heads, rendered by users with a licence for the face model.

The file is a tensor saved by torch, uint8, identity x azimuth x elevation x lighting x 64 x 64.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from latents.data.factors import FactorGrid
from latents.data.images import ImageSet
from latents.runtime.atomic_files import only
from latents.runtime.errors import Problem

IMAGE_SHAPE = (1, 64, 64)
GRID = FactorGrid(
    names=("identity", "azimuth", "elevation", "lighting"), sizes=(50, 21, 11, 11), latent=(1, 2, 3)
)


def read_original(files: list[Path]) -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the images of one saved tensor."""
    path = only(files)
    pixels = _read_pixels(path)
    if pixels.dtype != np.uint8 or pixels.size != GRID.images * 64 * 64:
        raise Problem(
            f"{path} is {pixels.dtype} of {pixels.shape}, not uint8 of {(*GRID.sizes, 64, 64)}"
        )
    about = ImageSet("3D faces, the user's renders", IMAGE_SHAPE, GRID)
    return about, iter([pixels.reshape(GRID.images, *IMAGE_SHAPE)])


def _read_pixels(path: Path) -> NDArray[Any]:
    """Return the tensor of a file; `weights_only` refuses files that would run code."""
    try:
        tensor = torch.load(path, map_location="cpu", weights_only=True)
        pixels = tensor.numpy() if isinstance(tensor, torch.Tensor) else None
    except Exception as error:  # broken bytes make torch raise anything
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise Problem(f"{path} is not a readable file of one tensor ({reason})") from error
    if pixels is None:
        raise Problem(f"{path} holds a {type(tensor).__name__}, not one tensor")
    return pixels
