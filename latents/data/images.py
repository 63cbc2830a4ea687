"""Prepared images: one self-describing HDF5 file of bits or bytes.

Binary images are packed eight pixels to a byte, compressed, and read whole. All others are stored
as contiguous bytes, so that a batch is read by mapping the file into memory: nothing is loaded or
decoded in advance, and concurrent jobs share the pages that they have read.
"""

import hashlib
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from latents.data.factors import FactorGrid, Factors, FactorTable
from latents.runtime.errors import Problem
from latents.runtime.identifier import carried

IMAGES_PER_CHUNK = 4096
IDENTIFIER = "identifier"  # of the pixels: other code that makes the same images changes nothing


@dataclass(frozen=True)
class ImageSet:
    """Description of a set of images."""

    source: str  # what they really are: original, re-rendered, twin, …
    image_shape: tuple[int, ...]  # (channels, height, width)
    factors: Factors
    binary: bool = False

    @property
    def bytes_per_image(self) -> int:
        return int(np.prod(self.image_shape)) // (8 if self.binary else 1)


def write_images(path: Path, about: ImageSet, blocks: Iterable[NDArray[np.uint8]]) -> str:
    """Write blocks of images in the order of their rows, each (n, …) with the bytes of n images.

    Return the identifier of the pixels, which is stored in the file too.
    """
    pixels = hashlib.sha256()

    def flat() -> Iterator[NDArray[np.uint8]]:
        for block in blocks:
            rows = np.ascontiguousarray(block.reshape(len(block), about.bytes_per_image))
            pixels.update(rows.data)
            yield rows

    if about.binary:
        _write_bits(path, about, np.concatenate(list(flat())))
    else:
        _write_bytes(path, about, flat())
    identifier = pixels.hexdigest()[:16]
    with h5py.File(path, "r+") as file:
        file.attrs.modify(IDENTIFIER, np.bytes_(carried(identifier)))
    return identifier


def _write_bits(path: Path, about: ImageSet, bits: NDArray[np.uint8]) -> None:
    _refuse_other_count(len(bits), about)
    buffer = io.BytesIO()  # written at once below: a full disk then raises a plain OSError
    with h5py.File(buffer, "w") as file:
        _describe(file, about)
        chunk = (min(IMAGES_PER_CHUNK, len(bits)), bits.shape[1])
        file.create_dataset("bits", data=bits, chunks=chunk, compression="gzip")
    path.write_bytes(buffer.getvalue())


def _write_bytes(path: Path, about: ImageSet, blocks: Iterable[NDArray[np.uint8]]) -> None:
    with h5py.File(path, "w") as file:
        _describe(file, about)
        offset = _reserve(file, about)
    written = 0
    with path.open("r+b") as plain:  # not through HDF5, whose errors are late and unclear
        plain.seek(offset)
        for block in blocks:
            plain.write(block.data)
            written += len(block)
    _refuse_other_count(written, about)


def _describe(file: h5py.File, about: ImageSet) -> None:
    factors = about.factors
    header = {
        "source": about.source,
        "image_shape": about.image_shape,
        "names": factors.names,
        "sizes": factors.sizes,
        "latent": factors.latent,
    }
    if factors.words:
        header["words"] = factors.words
    file.attrs["description"] = json.dumps(header, ensure_ascii=False)
    file.attrs[IDENTIFIER] = np.bytes_(carried("0" * 16))  # replaced once all pixels are written
    if isinstance(factors, FactorTable):
        file.create_dataset("factors", data=factors.values)


def _reserve(file: h5py.File, about: ImageSet) -> int:
    """Allocate contiguous space for the pixels and return its offset in the file."""
    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    layout.set_layout(h5py.h5d.CONTIGUOUS)
    layout.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    layout.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    layout.set_obj_track_times(False)
    space = h5py.h5s.create_simple((about.factors.images, about.bytes_per_image))
    pixels = h5py.h5d.create(file.id, b"pixels", h5py.h5t.STD_U8LE, space, layout)
    return int(pixels.get_offset())


def _refuse_other_count(found: int, about: ImageSet) -> None:
    if found != about.factors.images:
        raise Problem(f"{about.source}: {found} images, but {about.factors.images} were expected")


def read_images(path: Path) -> tuple[ImageSet, NDArray[np.uint8]]:
    """Return the description of the images and their bits or bytes, (images, bytes per image)."""
    try:
        with h5py.File(path) as file:
            header = json.loads(file.attrs["description"])
            binary = "bits" in file
            about = ImageSet(
                source=header["source"],
                image_shape=tuple(header["image_shape"]),
                factors=_read_factors(file, header),
                binary=binary,
            )
            stored = file["bits"][:] if binary else _map(path, file["pixels"])
    except (OSError, KeyError, ValueError) as error:
        raise Problem(f"{path} is not a readable image file ({error})") from error
    return about, stored


def _read_factors(file: h5py.File, header: dict[str, Any]) -> Factors:
    names, sizes, latent = (tuple(header[key]) for key in ("names", "sizes", "latent"))
    words = tuple(tuple(of_factor) for of_factor in header.get("words", ()))
    if "factors" in file:
        return FactorTable(names, sizes, latent, file["factors"][:], words)
    return FactorGrid(names, sizes, latent, words)


def _map(path: Path, pixels: h5py.Dataset) -> NDArray[np.uint8]:
    """Map the pixels copy-on-write: torch needs writable memory, and the file stays unchanged."""
    return np.memmap(path, np.uint8, "c", offset=pixels.id.get_offset(), shape=pixels.shape)
