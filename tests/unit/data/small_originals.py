"""Small files in the formats of the originals: what the tests of all readers share."""

import os
from pathlib import Path

from latents.data.factors import FactorGrid
from latents.data.images import read_images, write_images
from latents.data.readers import cars3d


class Boom:
    """Unpickling it would leave a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def small(monkeypatch, module, sizes: tuple[int, ...]) -> FactorGrid:
    """The module's grid with fewer values, and what it derives from it."""
    grid = FactorGrid(module.GRID.names, sizes, module.GRID.latent)
    monkeypatch.setattr(module, "GRID", grid)
    if hasattr(module, "STORED") and module is not cars3d:
        monkeypatch.setattr(module, "STORED", (grid.images, *module.STORED[1:]))
    return grid


def stored(tmp_path: Path, made) -> tuple:
    write_images(tmp_path / "made.h5", *made)
    return read_images(tmp_path / "made.h5")
