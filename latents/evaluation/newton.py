"""Many penalised logistic regressions on the same inputs at once, by Newton's method.

Problem i asks, for signs s_ni = -1 where example n is of the class and +1 where it is not, for the
minimum over w_i of

    sum_n log(1 + exp(s_ni x_n . w_i)) + 1/2 sum_j penalty_ij w_ij^2.

With few inputs a Newton step is cheap, and takes three matrix products for all problems together:
the activations X w, the slope, and the curvature X^T D X, which is the product of the weights D
with the products of all pairs of inputs. A step that would raise the objective is halved.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Chosen = NDArray[np.bool_] | NDArray[np.int64]

STEPS = 200
SMALLEST_FRACTION = 2.0**-30  # of a Newton step; below it rounding outweighs the gain
SMALLEST_GAIN = 1e-12  # of the objective, from another step: an error of about 1e-6 in the weights
STALE_GAIN = 1e-5  # below it a step is short enough to keep the curvature
STALE_STEPS = 4  # but not for more steps than these
ROUNDING = 1e-13
LARGEST = 700.0
ACTIVATIONS = 32_000  # at a time, so that they stay in the cache
EXAMPLES = 2000  # at a time, so that their products stay in the cache


@dataclass(frozen=True)
class Inputs:
    """X^T (p, n), the products of its pairs (p (p + 1) / 2, n), and ranges of the examples used."""

    columns: Array
    products: Array
    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, columns: Array) -> Self:
        first, second = np.triu_indices(len(columns))
        return cls(columns, columns[first] * columns[second], ((0, columns.shape[1]),))

    def without(self, first: int, last: int) -> Self:
        """Return the inputs without examples first..last - 1; nothing is copied."""
        return replace(self, spans=((0, first), (last, self.columns.shape[1])))

    @property
    def count(self) -> int:
        return sum(last - first for first, last in self.spans)

    def blocks(self, size: int) -> Iterator[slice]:
        for first, last in self.spans:
            for row in range(first, last, size):
                yield slice(row, min(row + size, last))


@dataclass(frozen=True)
class Points:
    """The state of each problem: weights, and loss, slope and curvature without the penalty."""

    weights: Array  # (problems, p)
    loss: Array  # (problems,)
    slope: Array  # (problems, p)
    curvature: Array  # (problems, p (p + 1) / 2), the upper triangle; it may be a step old

    def __getitem__(self, chosen: Chosen) -> "Points":
        return Points(*(array[chosen] for array in vars(self).values()))

    def put(self, chosen: Chosen, others: "Points") -> None:
        for name, array in vars(self).items():
            array[chosen] = vars(others)[name]

    def objective(self, penalties: Array) -> Array:
        total: Array = self.loss + (penalties * self.weights**2).sum(axis=1) / 2
        return total


def evaluate(inputs: Inputs, signs: Array, weights: Array) -> Points:
    """Return loss, slope and curvature at given weights."""
    everyone = np.arange(len(weights))
    curvature = np.empty((len(weights), len(inputs.products)))
    return _evaluate(inputs, signs, weights, curvature, everyone, everyone)


def minimise(
    inputs: Inputs, signs: Array, penalties: Array, points: Points, allowed: Array
) -> Points:
    """Return the minima, from the given points; only problems that have not converged go on.

    A problem has converged if no slope is above `allowed` and another step would gain next to
    nothing, or if rounding spoils every step.
    """
    current = points[np.arange(len(signs))]
    inverse, fraction = _inverse(current.curvature, penalties), np.ones(len(signs))
    for taken in range(STEPS):
        step, gain, moving = _newton_step(current, penalties, inverse, allowed)
        left = np.flatnonzero(moving & (fraction > SMALLEST_FRACTION))
        if not len(left):
            break
        target = current.weights[left] - fraction[left, None] * step[left]
        renewed = np.flatnonzero((gain[left] > STALE_GAIN) | (taken >= STALE_STEPS))
        trial = _evaluate(inputs, signs, target, current.curvature[left], left, renewed)
        before = current[left].objective(penalties[left])
        better = trial.objective(penalties[left]) <= before * (1 + ROUNDING)
        fraction[left] = np.where(better, 1, fraction[left] / 2)
        current.put(left[better], trial[better])
        changed = left[renewed][better[renewed]]
        inverse[changed] = _inverse(current.curvature[changed], penalties[changed])
    return current


def _newton_step(
    current: Points, penalties: Array, inverse: Array, allowed: Array
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return the Newton step, its expected relative gain, and whether it is worth taking."""
    slope = current.slope + penalties * current.weights
    step = np.einsum("ijk,ik->ij", inverse, slope)
    gain = (slope * step).sum(axis=1) / current.objective(penalties)
    steep = np.abs(slope).max(axis=1) > allowed
    return step, gain, (gain > SMALLEST_GAIN) | (steep & (gain > ROUNDING**2))


def _evaluate(
    inputs: Inputs,
    signs: Array,
    weights: Array,
    curvature: Array,
    problems: Chosen,
    renewed: Chosen,
) -> Points:
    """Evaluate `problems` (rows of `signs`); compute the curvature of `renewed` ones only."""
    loss, slope = np.zeros(len(weights)), np.zeros_like(weights)
    curvature[renewed] = 0
    for block in inputs.blocks(min(EXAMPLES, max(1, ACTIVATIONS // len(weights)))):
        columns, sides = inputs.columns[:, block], signs[:, block][problems]
        losses, wrong, right = _logistic(weights @ columns * sides)
        loss += losses
        slope += (wrong * sides) @ columns.T
        if len(renewed):
            spread = wrong[renewed] * right[renewed]
            curvature[renewed] += spread @ inputs.products[:, block].T
    return Points(weights, loss, slope, curvature)


def _logistic(margins: Array) -> tuple[Array, Array, Array]:
    """Return the sums of log(1 + exp(m)) over rows, and the probabilities 1 / (1 + exp(-+ m))."""
    linear = np.zeros(len(margins))
    if margins.max() > LARGEST:  # log(1 + exp(m)) is m there, and exp(m) would overflow
        linear = np.maximum(margins - LARGEST, 0).sum(axis=1)
        margins = np.minimum(margins, LARGEST)
    odds = np.exp(margins)
    right = 1 / (1 + odds)
    return np.log1p(odds).sum(axis=1) + linear, odds * right, right


def _inverse(curvature: Array, penalties: Array) -> Array:
    """Return the inverse of the curvature with its penalty, scaled to a unit diagonal first.

    This makes codes of very different sizes harmless; a small addition to the diagonal keeps the
    matrix invertible if codes are collinear or all examples are decided.
    """
    p = penalties.shape[1]
    full = curvature[:, _places(p)]
    full[:, :: p + 1] += penalties
    size = np.sqrt(np.maximum(full[:, :: p + 1], np.finfo(float).tiny))
    sizes = size[:, :, None] * size[:, None, :]
    ones = full.reshape(-1, p, p) / sizes + ROUNDING * np.eye(p)
    inverse: Array = np.linalg.inv(ones) / sizes
    return inverse


@cache
def _places(p: int) -> NDArray[np.int64]:
    """Return where the entries of a symmetric matrix, row by row, are in its upper triangle."""
    place = np.zeros((p, p), dtype=np.int64)
    place[np.triu_indices(p)] = np.arange(p * (p + 1) // 2)
    return np.maximum(place, place.T).ravel()
