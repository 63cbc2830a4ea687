"""User images as files: a CSV with a column `file` and one column per factor.

File names are relative to the CSV's folder. Images that are not 64 x 64 are resized; all are read
as grey if the first one is grey, and in colour otherwise.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from PIL import Image

from latents.data.images import ImageSet
from latents.data.indexed_factors import index_factors
from latents.data.resizing import SIDE, resize
from latents.runtime.atomic_files import only
from latents.runtime.errors import Problem

MODES = {"1": "L", "L": "L", "P": "RGB", "RGB": "RGB", "RGBA": "RGB"}  # stored -> read as
AT_ONCE = 512


def read_original(
    files: list[Path], *, nuisances: list[str] | None = None
) -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the images that a CSV lists."""
    path = only(files)
    table = read_listing(path)
    columns = {str(name): table[name].to_numpy() for name in table if name != "file"}
    factors, order = index_factors(columns, nuisances or [], str(path))
    pictures = [path.parent / name for name in table["file"].iloc[order]]
    mode = _mode(pictures[0])
    shape = (1 if mode == "L" else 3, SIDE, SIDE)
    about = ImageSet(f"own images ({path.parent.name})", shape, factors)
    return about, _blocks(pictures, mode)


def read_listing(path: Path) -> pd.DataFrame:
    try:
        table = pd.read_csv(path, dtype={"file": str})
    except (OSError, ValueError) as error:
        raise Problem(f"{path} is not a readable table ({error})") from error
    if "file" not in table or len(table.columns) < 2 or table.empty:
        raise Problem(f"{path} needs a column file, at least one factor, and rows")
    if table.isna().any(axis=None):
        raise Problem(f"{path} has empty fields")
    return table


def _mode(path: Path) -> str:
    with _opened(path) as picture:
        return MODES[picture.mode]


@contextmanager
def _opened(path: Path) -> Iterator[Image.Image]:
    try:
        with Image.open(path) as picture:
            if picture.mode not in MODES:
                raise Problem(f"{path} is a picture of mode {picture.mode}, not 8 bits a channel")
            yield picture
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise Problem(f"{path} is not a readable picture ({error})") from error


def _blocks(pictures: list[Path], mode: str) -> Iterator[NDArray[np.uint8]]:
    for start in range(0, len(pictures), AT_ONCE):
        chunk = pictures[start : start + AT_ONCE]
        yield np.stack([_read_picture(path, mode) for path in chunk])


def _read_picture(path: Path, mode: str) -> NDArray[np.uint8]:
    with _opened(path) as picture:
        return resize(np.asarray(picture.convert(mode)))
