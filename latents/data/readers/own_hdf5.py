"""User images in HDF5: `images`, (N, H, W) or (N, H, W, C), and `factors`, (N, K).

Images are bytes, or floats in [0, 1]; those that are not 64 x 64 are resized. The attribute `names`
of `factors` may hold the names of the factors.
"""

from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from latents.data.images import ImageSet
from latents.data.indexed_factors import index_factors
from latents.data.resizing import SIDE, resize
from latents.runtime.atomic_files import only
from latents.runtime.errors import Problem

AT_ONCE = 512


def read_original(
    files: list[Path], *, nuisances: list[str] | None = None
) -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the images of one HDF5 file."""
    path = only(files)
    try:
        with h5py.File(path) as file:
            shape = _image_shape(path, file["images"])
            columns = _columns(path, file["factors"], len(file["images"]))
    except (OSError, KeyError, AttributeError, TypeError) as error:
        raise Problem(f"{path} is not an HDF5 file with images and factors ({error})") from error
    factors, order = index_factors(columns, nuisances or [], str(path))
    about = ImageSet(f"own images ({path.name})", shape, factors)
    return about, _blocks(path, order)


def _image_shape(path: Path, images: h5py.Dataset) -> tuple[int, ...]:
    channels = images.shape[3] if images.ndim == 4 else 1
    if images.ndim not in (3, 4) or channels not in (1, 3) or not len(images):
        raise Problem(f"{path}: images is of {images.shape}, not (N, H, W) with 1 or 3 channels")
    return channels, SIDE, SIDE


def _columns(path: Path, table: h5py.Dataset, images: int) -> dict[str, NDArray[np.generic]]:
    values = table[:]
    if values.ndim != 2 or len(values) != images:
        raise Problem(f"{path}: factors is of {values.shape}, but there are {images} images")
    given = table.attrs.get("names", [f"factor {i + 1}" for i in range(values.shape[1])])
    names = [name.decode() if isinstance(name, bytes) else str(name) for name in given]
    if len(names) != values.shape[1] or len(set(names)) != len(names):
        raise Problem(f"{path}: {len(names)} names for {values.shape[1]} factors, or one twice")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise Problem(f"{path}: factors holds values that are not finite")
    return dict(zip(names, values.T, strict=True))


def _blocks(path: Path, order: NDArray[np.int64]) -> Iterator[NDArray[np.uint8]]:
    with h5py.File(path) as file:
        for start in range(0, len(order), AT_ONCE):
            rows = order[start : start + AT_ONCE]
            sorting = np.argsort(rows)  # HDF5 reads in ascending order only
            block = np.empty((len(rows), *file["images"].shape[1:]), file["images"].dtype)
            block[sorting] = file["images"][rows[sorting]]
            yield np.stack([_resized(image) for image in _as_bytes(block, path)])


def _as_bytes(block: NDArray[np.generic], path: Path) -> NDArray[np.uint8]:
    if block.dtype == np.uint8:
        return block.view(np.uint8)
    if block.dtype == bool:
        return block.astype(np.uint8) * np.uint8(255)
    values = block.astype(np.float64)
    if block.dtype.kind != "f" or not ((values >= 0) & (values <= 1)).all():
        raise Problem(f"{path}: images is {block.dtype}, neither bytes nor numbers in [0, 1]")
    return np.round(values * 255).astype(np.uint8)


def _resized(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return resize(image[..., 0] if image.ndim == 3 and image.shape[2] == 1 else image)
