"""Convex solids, and functions that make and move them.

A solid is the intersection of a quadric and some half-spaces, all relative to its centre c:

    (p - c)' Q (p - c) <= 1    and    n_k . (p - c) <= h_k  for every k.

An ellipsoid has no half-space; a prism has Q = 0; a cylinder and a dome have both.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Albedo = tuple[float, ...]  # one share of reflected light per colour channel
Point = tuple[float, float, float]
Span = tuple[float, float]

STILL = np.eye(3)  # the identity
MIRROR = np.diag([1.0, -1.0, 1.0])  # left to right, for solids that come in pairs


@dataclass(frozen=True)
class Solid:
    """A convex solid, as in the module's equation; columns of `axes` are half-edges of its box."""

    centre: Array  # (3,)
    quadric: Array  # (3, 3)
    normals: Array  # (half-spaces, 3)
    offsets: Array  # (half-spaces,)
    axes: Array  # (3, 3)
    albedo: Albedo

    def reach(self, turn: Array) -> Array:
        """Return an upper bound of the solid's extent from its centre along each row of `turn`.

        `turn` may be many matrices, (..., 3, 3).
        """
        axes = turn @ self.axes
        if len(self.offsets) == 0:
            return np.asarray(np.sqrt((axes**2).sum(axis=-1)))
        return np.asarray(np.abs(axes).sum(axis=-1))


def ellipsoid(centre: Point, radii: Point, albedo: Albedo) -> Solid:
    quadric = np.diag(1 / np.square(radii))
    no_normals, no_offsets = np.zeros((0, 3)), np.zeros(0)
    axes = np.diag(radii)
    return Solid(np.array(centre, dtype=float), quadric, no_normals, no_offsets, axes, albedo)


def dome(centre: Point, radii: Point, albedo: Albedo) -> Solid:
    """Return the upper half of an ellipsoid."""
    down = np.array([[0.0, 0, -1]])
    whole = ellipsoid(centre, radii, albedo)
    return Solid(whole.centre, whole.quadric, down, np.zeros(1), whole.axes, albedo)


def pair(centre: Point, radii: Point, albedo: Albedo) -> list[Solid]:
    """Return the same ellipsoid on the left and on the right."""
    left = ellipsoid(centre, radii, albedo)
    return [left, *transformed([left], MIRROR)]


def limb(start: Point, end: Point, radius: float, albedo: Albedo) -> Solid:
    """Return a long ellipsoid whose tips are `radius / 2` beyond its two ends."""
    along = np.subtract(end, start)
    length = np.linalg.norm(along)
    ball = ellipsoid((0, 0, 0), (float(length + radius) / 2, radius, radius), albedo)
    return transformed([ball], _frame(along / length), shift=np.add(start, end) / 2)[0]


def cylinder(centre: Point, radius: float, half_length: float, albedo: Albedo) -> Solid:
    """Return a cylinder along y."""
    normals = np.array([[0.0, 1, 0], [0, -1, 0]])
    quadric = np.diag([radius**-2, 0, radius**-2])
    axes = np.diag([radius, half_length, radius])
    offsets = np.full(2, half_length)
    return Solid(np.array(centre, dtype=float), quadric, normals, offsets, axes, albedo)


def prism(outline: Sequence[Span], widths: Span, albedo: Albedo) -> Solid:
    """Return a convex outline of (x, z), counter-clockwise, extruded along y to both sides.

    `widths` are the half-widths at the lowest and at the highest point of the outline.
    """
    corners = np.array(outline, dtype=float)
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2
    edges = np.roll(corners, -1, axis=0) - corners
    outwards = np.stack([edges[:, 1], -edges[:, 0]], axis=1)
    slope = (widths[0] - widths[1]) / (2 * half[1])
    normals = np.concatenate([np.insert(outwards, 1, 0, axis=1), [[0, 1, slope], [0, -1, slope]]])
    offsets = np.r_[(outwards * (corners - middle)).sum(axis=1), np.repeat(np.mean(widths), 2)]
    axes = np.diag([half[0], max(widths), half[1]])
    return Solid(np.insert(middle, 1, 0), np.zeros((3, 3)), normals, offsets, axes, albedo)


def box(centre: Point, half: Point, albedo: Albedo) -> Solid:
    x, _, z = half
    solid = prism([(-x, -z), (x, -z), (x, z), (-x, z)], (half[1], half[1]), albedo)
    return transformed([solid], STILL, shift=centre)[0]


def _frame(along: Array) -> Array:
    """Return a rotation that takes x to the unit vector `along`."""
    other = np.array([0.0, 1, 0]) if abs(along[1]) < 0.9 else np.array([0.0, 0, 1])
    second = np.cross(other, along)
    second /= np.linalg.norm(second)
    return np.stack([along, np.cross(second, along), second], axis=1)


def transformed(
    solids: Sequence[Solid], matrix: Array, shift: Sequence[float] | Array = (0, 0, 0)
) -> list[Solid]:
    """Return the solids after p -> matrix p + shift, for any invertible matrix."""
    inverse = np.linalg.inv(matrix)
    return [
        Solid(
            matrix @ s.centre + shift,
            inverse.T @ s.quadric @ inverse,
            s.normals @ inverse,
            s.offsets,
            matrix @ s.axes,
            s.albedo,
        )
        for s in solids
    ]
