"""smallNORB (LeCun et al. 2004): fifty grey toys of five categories under six lightings.

Six gzipped files in a binary format of their own (little-endian): a magic number for the type, the
number of dimensions, at least three sizes, then the values. Only the left camera's picture of each
pair is used. The reference's Lanczos filter works on 32-bit integers and may exceed [0, 255]
slightly; here it is clipped to bytes.
"""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from latents.data.archives import read_exactly
from latents.data.factors import FactorGrid
from latents.data.images import ImageSet
from latents.data.resizing import resize
from latents.runtime.errors import Problem

IMAGE_SHAPE = (1, 64, 64)
GRID = FactorGrid(
    names=("category", "instance", "elevation", "azimuth", "lighting"),
    sizes=(5, 10, 9, 18, 6),
    latent=(0, 2, 3, 4),
)
PAIRS = GRID.images // 2  # in each of the two sets, training and testing
CAMERAS, SIDE = 2, 96
MAGIC = {
    507333717: np.dtype("u1"),
    507333716: np.dtype("<i4"),
    507333713: np.dtype("<f4"),
    507333715: np.dtype("<f8"),
}


def read_original(files: list[Path]) -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the images of both sets.

    `files` are the pictures, categories and infos (dat, cat, info) of both sets, in any order.
    """
    images = np.zeros((GRID.images, *IMAGE_SHAPE), np.uint8)
    counts = np.zeros(GRID.images, dtype=int)
    for pictures, categories, infos in _sets(files):
        rows = _rows(categories, infos)
        counts += np.bincount(rows, minlength=GRID.images)
        for row, picture in zip(rows, _left_pictures(pictures), strict=True):
            images[row] = resize(picture)
    if (counts != 1).any():
        raise Problem(f"smallNORB: {(counts != 1).sum()} of its images are missing or there twice")
    return ImageSet("smallNORB, original files", IMAGE_SHAPE, GRID), iter([images])


def _sets(files: list[Path]) -> Iterator[tuple[Path, ...]]:
    for kind in ("training", "testing"):
        yield tuple(
            next(path for path in files if f"{kind}-{part}." in path.name)
            for part in ("dat", "cat", "info")
        )


def _rows(categories: Path, infos: Path) -> NDArray[np.int64]:
    """Return the image rows of a set; azimuths are stored as 0, 2, …, 34."""
    category = _read_table(categories, (PAIRS,))
    instance, elevation, azimuth, lighting = _read_table(infos, (PAIRS, 4)).T
    factors = np.stack([category, instance, elevation, azimuth // 2, lighting], axis=1)
    if (factors < 0).any() or (factors >= GRID.sizes).any() or (azimuth % 2).any():
        raise Problem(f"{infos}: its factors are outside of the grid {GRID.sizes}")
    return GRID.rows(factors)


def _read_table(path: Path, shape: tuple[int, ...]) -> NDArray[np.int64]:
    with _open_matrix(path, shape, np.dtype("<i4")) as stream:
        values = read_exactly(stream, 4 * int(np.prod(shape)), str(path)).view("<i4")
        _refuse_more(stream, path)
    return values.reshape(shape).astype(np.int64)


def _left_pictures(path: Path) -> Iterator[NDArray[np.uint8]]:
    with _open_matrix(path, (PAIRS, CAMERAS, SIDE, SIDE), np.dtype("u1")) as stream:
        for _ in range(PAIRS):
            yield read_exactly(stream, CAMERAS * SIDE**2, str(path)).reshape(-1, SIDE, SIDE)[0]
        _refuse_more(stream, path)


@contextmanager
def _open_matrix(
    path: Path, shape: tuple[int, ...], dtype: np.dtype[np.generic]
) -> Iterator[BinaryIO]:
    """Open a gzipped matrix, check its header, and yield the stream of its values."""
    try:
        with gzip.open(path) as unpacked:
            stream = cast(BinaryIO, unpacked)
            magic, dimensions = read_exactly(stream, 8, str(path)).view("<i4").tolist()
            if magic not in MAGIC:
                raise Problem(f"{path} is no NORB matrix: it begins with {magic}")
            # Three sizes at least: short shapes are padded with meaningless sizes.
            sizes = read_exactly(stream, 4 * max(3, len(shape)), str(path)).view("<i4")
            found = tuple(sizes[:dimensions].tolist())
            if found != shape or MAGIC[magic] != dtype:
                raise Problem(f"{path} is {MAGIC[magic]} of {found}, not {dtype} of {shape}")
            yield stream
    except (OSError, EOFError, zlib.error) as error:
        raise Problem(f"{path} is not a readable gzip file ({error})") from error


def _refuse_more(stream: BinaryIO, path: Path) -> None:
    if stream.read(1):
        raise Problem(f"{path} is longer than its header says")
