"""3D faces (Paysan et al. 2009): fifty heads, rendered by whoever has a licence for the model.

The file is a tensor saved by torch, uint8, identity x azimuth x elevation x lighting x 64 x 64.
"""

import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from latents.factors import FactorGrid
from latents.images import ImageSet
from latents.problem import Problem

IMAGE_SHAPE = (1, 64, 64)
GRID = FactorGrid(
    names=("identity", "azimuth", "elevation", "lighting"), sizes=(50, 21, 11, 11), latent=(1, 2, 3)
)


def read_original(files: list[Path]) -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    [path] = files
    pixels = _read_tensor(path).numpy()
    if pixels.dtype != np.uint8 or pixels.size != GRID.images * 64 * 64:
        raise Problem(
            f"{path} is {pixels.dtype} of {pixels.shape}, not uint8 of {(*GRID.sizes, 64, 64)}"
        )
    about = ImageSet("3D faces, the user's renders", IMAGE_SHAPE, GRID)
    return about, iter([pixels.reshape(GRID.images, *IMAGE_SHAPE)])


def _read_tensor(path: Path) -> torch.Tensor:
    """`weights_only`: a file that asks for anything but tensors is refused, not run."""
    try:
        tensor = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, OSError, EOFError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise Problem(f"{path} is not a readable file of one tensor ({reason})") from error
    if not isinstance(tensor, torch.Tensor):
        raise Problem(f"{path} holds a {type(tensor).__name__}, not one tensor")
    return tensor
