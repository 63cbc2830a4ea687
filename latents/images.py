"""Binary images as packed bits: one small HDF5 file, read whole into memory."""

import io
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from latents.problem import Problem

IMAGES_PER_CHUNK = 4096


def write_images(path: Path, bits: NDArray[np.uint8], *, source: str) -> None:
    """Store packed images (n, bytes per image); `source` says what the images really are."""
    buffer = io.BytesIO()  # one plain write afterwards: a full disk then fails in one plain way
    with h5py.File(buffer, "w") as file:
        chunk = (min(IMAGES_PER_CHUNK, len(bits)), bits.shape[1])
        file.create_dataset("bits", data=bits, chunks=chunk, compression="gzip")
        file.attrs["source"] = source
    path.write_bytes(buffer.getvalue())


def read_images(path: Path) -> tuple[NDArray[np.uint8], str]:
    """Packed images (n, bytes per image) and what they are."""
    try:
        with h5py.File(path) as file:
            return file["bits"][:], str(file.attrs["source"])
    except (OSError, KeyError) as error:
        raise Problem(f"{path} is not a readable image file ({error})") from error
