"""Standardisation of codes to mean 0 and variance 1 that leaves a penalised objective unchanged."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Standard:
    """Mean and scale of codes: the mean goes into the free intercept, the scale into the penalty.

    With w = v / scale, w^2 / 2 is v^2 / (2 scale^2): raw codes of any size are fitted by a method
    that only sees codes of about 1.
    """

    mean: Array
    scale: Array

    @classmethod
    def of(cls, codes: Array) -> Self:
        """Return the mean and scale of codes; the scale of a constant code is 1."""
        return cls(codes.mean(axis=0), np.where(np.ptp(codes, axis=0) > 0, codes.std(axis=0), 1.0))

    @property
    def reach(self) -> float:
        """Return a bound of raw slopes, in units of the largest slope in standard weights."""
        return max(1.0, float((self.scale + np.abs(self.mean)).max()))

    def columns(self, codes: Array) -> Array:
        """Return standardised codes as rows, (d + 1, n), then a row of ones for the intercept."""
        return np.vstack([((codes - self.mean) / self.scale).T, np.ones(len(codes))])

    def penalties(self, strengths: Array) -> Array:
        """Return a row of penalties for each C; the intercept has none."""
        ridge = 1 / (strengths[:, None] * self.scale**2)
        return np.hstack([ridge, np.zeros((len(strengths), 1))])

    def raw(self, weights: Array) -> tuple[Array, Array]:
        """Return weights and intercepts for raw codes."""
        raw = weights[:, :-1] / self.scale
        return raw, weights[:, -1] - raw @ self.mean
