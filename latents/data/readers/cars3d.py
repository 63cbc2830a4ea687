"""cars3D (Reed et al. 2015): 183 car models in colour, from 24 directions and 4 elevations.

The archive holds one MATLAB file per car with `im`, (row, column, rgb, azimuth, elevation). Cars
are numbered by the order of their file names; the reference takes the order of its file system.
"""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.io import loadmat

from latents.data.archives import tar_members
from latents.data.factors import FactorGrid
from latents.data.images import ImageSet
from latents.data.resizing import resize
from latents.runtime.atomic_files import only
from latents.runtime.errors import Problem

IMAGE_SHAPE = (3, 64, 64)
GRID = FactorGrid(names=("elevation", "azimuth", "object"), sizes=(4, 24, 183), latent=(0, 1, 2))
ELEVATIONS, AZIMUTHS, CARS = GRID.sizes
STORED = (128, 128, 3, AZIMUTHS, ELEVATIONS)
LARGEST = 64_000_000  # bytes of one car's file; real ones have about a tenth


def read_original(files: list[Path]) -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the images of the published archive."""
    path = only(files)
    return ImageSet("cars3D, original files", IMAGE_SHAPE, GRID), iter([_read_cars(path)])


def _read_cars(path: Path) -> NDArray[np.uint8]:
    cars = {name: _read_car(data, f"{path}: {name}") for name, data in _files(path)}
    if len(cars) != CARS:
        raise Problem(f"{path}: {len(cars)} cars in its folder cars, not {CARS}")
    by_car = np.stack([cars[name] for name in sorted(cars)])  # (car, elevation, azimuth, …)
    return np.moveaxis(by_car, 0, 2).reshape(GRID.images, *IMAGE_SHAPE)


def _files(path: Path) -> Iterator[tuple[str, bytes]]:
    return tar_members(path, "cars", ".mat", LARGEST)


def _read_car(data: bytes, what: str) -> NDArray[np.uint8]:
    """Return the resized views of one car, (elevation, azimuth, rgb, row, column)."""
    try:
        views = loadmat(io.BytesIO(data), variable_names=["im"])["im"]
    except Exception as error:  # broken bytes make scipy raise anything
        raise Problem(f"{what} is not a readable MATLAB file with im in it ({error})") from error
    if views.shape != STORED or views.dtype != np.uint8:
        raise Problem(f"{what}: im is {views.dtype} of {views.shape}, not uint8 of {STORED}")
    return np.stack(
        [
            np.stack([resize(views[..., azimuth, elevation]) for azimuth in range(AZIMUTHS)])
            for elevation in range(ELEVATIONS)
        ]
    )
