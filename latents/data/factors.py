"""Generative factors: names, sizes, image rows, and the sampling protocol of all datasets."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# For each factor the words that its values stand for, none if they are numbers; or nothing at all.
Words = tuple[tuple[str, ...], ...]
CHUNK = 16  # the reference draws its evaluation images sixteen at a time


@dataclass(frozen=True)
class FactorGrid:
    """A full grid of generative factors, one image per cell, last factor fastest."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    latent: tuple[int, ...]  # factors used as ground truth; the others are nuisances
    words: Words = ()

    @property
    def images(self) -> int:
        return int(np.prod(self.sizes))

    @property
    def latent_names(self) -> tuple[str, ...]:
        return tuple(self.names[i] for i in self.latent)

    def rows(self, factors: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the image row of each full factor vector, (n, factors) -> (n,)."""
        return np.asarray(np.ravel_multi_index(tuple(factors.T), self.sizes), dtype=np.int64)

    def values_at(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the full factor vector of each image row, (n,) -> (n, factors)."""
        return np.stack(np.unravel_index(rows, self.sizes), axis=1).astype(np.int64)

    def draw_values(self, random: np.random.RandomState, count: int) -> NDArray[np.int64]:
        """Draw uniform factor vectors in the reference's order of random calls.

        disentanglement_lib draws every latent factor in index order, then every nuisance factor;
        the same order makes a seed choose the same images here.
        """
        drawn = np.zeros((count, len(self.sizes)), dtype=np.int64)
        nuisances = [i for i in range(len(self.sizes)) if i not in self.latent]
        for i in [*self.latent, *nuisances]:
            drawn[:, i] = random.randint(self.sizes[i], size=count)
        return drawn

    def draw_rows(self, random: np.random.RandomState, count: int) -> NDArray[np.int64]:
        """Draw image rows uniformly over the grid."""
        return self.rows(self.draw_values(random, count))

    def draw_sharing(
        self, random: np.random.RandomState, rows: NDArray[np.int64], factor: int
    ) -> NDArray[np.int64]:
        """Draw for each row one with the same value of `factor`, uniform in all other factors."""
        drawn = self.draw_values(random, len(rows))
        drawn[:, factor] = self.values_at(rows)[:, factor]
        return self.rows(drawn)


@dataclass(frozen=True)
class FactorTable:
    """Factors of images that do not fill a grid; values are 0, 1, …, size - 1."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    latent: tuple[int, ...]
    values: NDArray[np.int64]  # (images, factors)
    words: Words = ()

    @property
    def images(self) -> int:
        return len(self.values)

    @property
    def latent_names(self) -> tuple[str, ...]:
        return tuple(self.names[i] for i in self.latent)

    def values_at(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.values[rows]

    def draw_rows(self, random: np.random.RandomState, count: int) -> NDArray[np.int64]:
        """Draw image rows uniformly; factor values are as frequent as they are among the images."""
        return random.randint(self.images, size=count).astype(np.int64)

    def draw_sharing(
        self, random: np.random.RandomState, rows: NDArray[np.int64], factor: int
    ) -> NDArray[np.int64]:
        """Draw for each row one with the same value of `factor`, uniform over all such images."""
        values = self.values[rows, factor]
        drawn = np.empty_like(rows)
        for value in np.unique(values):
            alike = np.flatnonzero(self.values[:, factor] == value)
            wanted = values == value
            drawn[wanted] = alike[random.randint(len(alike), size=wanted.sum())]
        return drawn


Factors = FactorGrid | FactorTable


def name_value(factors: Factors, factor: int, value: int) -> str:
    """Return the word that a value stands for, or its number."""
    words = factors.words[factor] if factors.words else ()
    return words[value] if words else str(value)


def chunks(count: int) -> Iterator[int]:
    """Yield the sizes of the portions in which the reference draws `count` examples."""
    for start in range(0, count, CHUNK):
        yield min(CHUNK, count - start)
