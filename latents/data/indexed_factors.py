"""Factors of images that come with a table of factor values of any kind and in any order."""

import numpy as np
from numpy.typing import NDArray

from latents.data.factors import FactorGrid, Factors, FactorTable, Words
from latents.runtime.errors import Problem


def index_factors(
    columns: dict[str, NDArray[np.generic]], nuisances: list[str], where: str
) -> tuple[Factors, NDArray[np.int64]]:
    """Return factors numbered in the order of their values, and the order to store the images in.

    Values that are words are kept. Images that fill a grid, each combination once, are stored in
    the grid's order; any others keep their order. `nuisances` are factors that no
    score uses as ground truth.
    """
    if missing := [name for name in nuisances if name not in columns]:
        raise Problem(f"{where}: there is no factor {missing[0]} to be a nuisance")
    numbered = [np.unique(column, return_inverse=True) for column in columns.values()]
    sizes = tuple(len(values) for values, _ in numbered)
    names = tuple(columns)
    latent = tuple(i for i, name in enumerate(names) if name not in nuisances)
    if not latent:
        raise Problem(f"{where}: no factor is left as ground truth")
    values = np.stack([codes for _, codes in numbered], axis=1).astype(np.int64)
    words = _words([found for found, _ in numbered])
    grid = FactorGrid(names, sizes, latent, words)
    if np.prod(sizes, dtype=float) == len(values):
        order = np.argsort(grid.rows(values))
        if (grid.rows(values)[order] == np.arange(len(values))).all():
            return grid, order
    return FactorTable(names, sizes, latent, values, words), np.arange(len(values))


def _words(values: list[NDArray[np.generic]]) -> Words:
    """Return the values of each factor that has words for values; nothing if none has."""
    words = tuple(
        () if found.dtype.kind in "iuf" else tuple(_word(value) for value in found.tolist())
        for found in values
    )
    return words if any(words) else ()


def _word(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
