"""`latents compare-dsprites`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

SHOWN = 10
Original = Annotated[
    Path, typer.Argument(metavar="FILE", help="The published npz or hdf5 file.", show_default=False)
]


def compare_dsprites(original: Original) -> None:
    """Compare re-rendered dSprites with the original.

    Counts the images and pixels that differ, and lists the images that differ most.

    \b
    Example:
      latents compare-dsprites data/dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz

    Exit codes: 0, or 1 if the file cannot be read.
    """
    for line in compare(original):
        typer.echo(line)


def compare(path: Path) -> Iterator[str]:
    """Yield one line of totals, then the images that differ most."""
    import numpy as np

    from latents.data.readers import dsprites
    from latents.data.twins.dsprites import render

    original = np.concatenate(list(dsprites.read_original([path])[1]))
    pixels = np.bitwise_count(original ^ render()).sum(axis=1)
    differing = np.flatnonzero(pixels)
    yield (
        f"{len(differing)} of {len(pixels)} images differ from {path}, "
        f"in {pixels.sum()} of {pixels.size * 64 * 64} pixels"
    )
    for row in differing[np.argsort(-pixels[differing], kind="stable")][:SHOWN]:
        factors = dsprites.GRID.values_at(np.array([row]))[0]
        where = ", ".join(f"{n} {v}" for n, v in zip(dsprites.GRID.names, factors, strict=True))
        yield f"  image {row} ({where}): {pixels[row]} pixels"
