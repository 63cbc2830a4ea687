"""Streaming readers of npz and tar archives that come from outside.

Nothing is ever unpacked to disk, and nothing is ever unpickled.
"""

import tarfile
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

import numpy as np
from numpy.typing import NDArray

from latents.data.images import IMAGES_PER_CHUNK
from latents.runtime.errors import ARCHIVE_ERRORS, Problem

HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def npz_blocks(path: Path, key: str, shape: tuple[int, ...]) -> Iterator[NDArray[np.uint8]]:
    """Yield blocks of rows of the uint8 array `key`, which must have as many values as `shape`.

    `shape` is (rows, …); the file may split its rows over several axes.
    """
    try:
        with zipfile.ZipFile(path) as archive, archive.open(f"{key}.npy") as stream:
            _refuse_header(path, key, shape, *_read_header(stream))
            row = int(np.prod(shape[1:]))
            for start in range(0, shape[0], IMAGES_PER_CHUNK):
                rows = min(IMAGES_PER_CHUNK, shape[0] - start)
                block = read_exactly(stream, rows * row, f"{path}: {key}")
                yield block.reshape(rows, *shape[1:])
            stream.read(1)  # zipfile verifies the checksum at the end
    except ARCHIVE_ERRORS as error:
        raise Problem(f"{path} is not a readable npz file with {key} in it ({error})") from error


def _read_header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[np.generic]]:
    version = np.lib.format.read_magic(stream)
    if version not in HEADERS:
        raise ValueError(f"npy format {version} is not known")
    with warnings.catch_warnings():  # about Python 2's long integers
        warnings.simplefilter("ignore", UserWarning)
        return HEADERS[version](stream)


def _refuse_header(
    path: Path,
    key: str,
    expected: tuple[int, ...],
    shape: tuple[int, ...],
    fortran_order: bool,
    dtype: np.dtype[np.generic],
) -> None:
    """Raise a Problem unless the array is uint8 in C order with the expected number of values."""
    if dtype.hasobject:
        raise Problem(f"{path}: {key} holds pickled objects, which are never loaded")
    tail = expected[1:]
    fits = np.prod(shape) == np.prod(expected) and shape[len(shape) - len(tail) :] == tail
    if dtype != np.uint8 or fortran_order or not fits:
        raise Problem(f"{path}: {key} is {dtype} of {shape}, not uint8 of {expected}")


def read_exactly(stream: IO[bytes], size: int, what: str) -> NDArray[np.uint8]:
    """Return `size` bytes; raise a Problem if the stream has fewer."""
    data = stream.read(size)
    if len(data) != size:
        raise Problem(f"{what} is truncated: {len(data)} of {size} bytes are there")
    return np.frombuffer(data, np.uint8)


def tar_members(path: Path, folder: str, suffix: str, limit: int) -> Iterator[tuple[str, bytes]]:
    """Yield (file name, content) of the members `…/<folder>/<name><suffix>` in archive order.

    An archive with a path that leads out of it, or with a member above `limit` bytes, is refused.
    """
    try:
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                place = PurePosixPath(member.name)
                if place.is_absolute() or ".." in place.parts:
                    raise Problem(f"{path}: refused, its member {member.name} leaves the archive")
                if place.parent.name == folder and place.suffix == suffix and member.isfile():
                    yield place.name, _content(archive, member, path, limit)
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise Problem(f"{path} is not a readable tar archive ({error})") from error


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo, path: Path, limit: int) -> bytes:
    if member.size > limit:
        raise Problem(f"{path}: refused, its member {member.name} has {member.size} bytes")
    stream = archive.extractfile(member)
    data = stream.read() if stream else b""
    if len(data) != member.size:
        raise Problem(f"{path}: its member {member.name} is truncated")
    return data
