"""Codes shifted to mean 0 and scaled to variance 1, without changing a penalised objective."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Standard:
    """The shift goes into the intercept, which is free, and the scale into the penalty.

    With w = v / scale, w^2 / 2 is v^2 / (2 scale^2): raw codes are fitted, of whatever size, by a
    method that only sees codes of about 1.
    """

    mean: Array
    scale: Array

    @classmethod
    def of(cls, codes: Array) -> Self:
        """A code that never changes keeps its scale."""
        return cls(codes.mean(axis=0), np.where(np.ptp(codes, axis=0) > 0, codes.std(axis=0), 1.0))

    @property
    def reach(self) -> float:
        """No slope in a raw weight is more than this times the largest one in standard weights."""
        return max(1.0, float((self.scale + np.abs(self.mean)).max()))

    def columns(self, codes: Array) -> Array:
        """One after the other, (d + 1, n); the last is ones, for the intercept."""
        return np.vstack([((codes - self.mean) / self.scale).T, np.ones(len(codes))])

    def penalties(self, strengths: Array) -> Array:
        """A row for each C; the intercept has none."""
        ridge = 1 / (strengths[:, None] * self.scale**2)
        return np.hstack([ridge, np.zeros((len(strengths), 1))])

    def raw(self, weights: Array) -> tuple[Array, Array]:
        """Weights and intercepts for codes as they come."""
        raw = weights[:, :-1] / self.scale
        return raw, weights[:, -1] - raw @ self.mean
