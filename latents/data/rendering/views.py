"""Orthographic views of solids: the nearest solid at each pixel, and its normal.

The camera looks along -z of the frame that the solids are in and sees [-1, 1] x [-1, 1]. A ray
parallel to z meets each constraint of a convex solid in one interval, and the solid in the
intersection of these intervals; its upper end is the visible surface.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latents.data.rendering.solids import STILL, Array, Solid

SIDE = 128  # pixels of a view's side: twice an image's, which averages 2 x 2 of them
CENTRES = (np.arange(SIDE) + 0.5) * 2 / SIDE - 1  # of the pixels, left to right or top to bottom
NEARLY_PARALLEL = 1e-9  # below it a ray counts as parallel to a plane or to a cylinder's axis


@dataclass(frozen=True)
class View:
    """The visible surface, (rows, columns, ...), top row first."""

    depth: Array  # z of the nearest surface; -inf where there is none
    normals: NDArray[np.float32]  # unit, outwards; zero where there is no surface
    part: NDArray[np.int16]  # position of the nearest solid in its sequence; -1 where there is none

    @property
    def covered(self) -> NDArray[np.bool_]:
        return self.part >= 0


def see(solids: Sequence[Solid]) -> View:
    """Return the nearest surface at every pixel; only each solid's own window is computed."""
    view = View(
        depth=np.full((SIDE, SIDE), -np.inf),
        normals=np.zeros((SIDE, SIDE, 3), dtype=np.float32),
        part=np.full((SIDE, SIDE), -1, dtype=np.int16),
    )
    for part, solid in enumerate(solids):
        _draw(view, part, solid)
    return view


def _draw(view: View, part: int, solid: Solid) -> None:
    rows, columns = _window(solid)
    x = CENTRES[columns] - solid.centre[0]
    y = -CENTRES[rows, None] - solid.centre[1]
    height, inside, face = _surface(solid, x, y)
    depth = height + solid.centre[2]
    row, column = np.nonzero(inside & (depth > view.depth[rows, columns]))
    at = row + rows.start, column + columns.start
    view.depth[at] = depth[row, column]
    view.part[at] = part
    place = np.stack([x[column], y[row, 0], height[row, column]], axis=1)
    view.normals[at] = _normals(solid, place, face[row, column])


def _window(solid: Solid) -> tuple[slice, slice]:
    """Return the rows and columns whose pixel centres the solid can cover."""
    x, y, _ = solid.centre
    dx, dy, _ = solid.reach(STILL)
    first, last = np.searchsorted(CENTRES, [x - dx, x + dx])
    top, bottom = np.searchsorted(CENTRES, [-y - dy, -y + dy])
    return slice(top, bottom), slice(first, last)


def _surface(solid: Solid, x: Array, y: Array) -> tuple[Array, NDArray[np.bool_], NDArray[np.intp]]:
    """Return depth above the centre, whether the ray hits, and the half-space hit (-1: Q)."""
    low, high = _quadric_interval(solid.quadric, x, y)
    face = np.full(high.shape, -1)
    for k, (normal, offset) in enumerate(zip(solid.normals, solid.offsets, strict=True)):
        nx, ny, nz = normal
        nz = nz if abs(nz) > NEARLY_PARALLEL else NEARLY_PARALLEL
        plane = (offset - ny * y) / nz - (nx / nz) * x
        if nz > 0:
            nearer = plane < high
            face[nearer] = k
            high = np.minimum(high, plane)
        else:
            low = np.maximum(low, plane)
    return high, low <= high, face


def _quadric_interval(quadric: Array, x: Array, y: Array) -> tuple[Array, Array]:
    """Return the z that solve a z^2 + 2 b z + c <= 0; empty (low > high) where the ray misses."""
    if not quadric.any():
        infinite = np.full(np.broadcast_shapes(x.shape, y.shape), np.inf)
        return -infinite, infinite
    a = max(quadric[2, 2], NEARLY_PARALLEL)
    b = (quadric[0, 2] * x + quadric[1, 2] * y) / a
    c = quadric[0, 0] * x**2 + 2 * quadric[0, 1] * x * y + quadric[1, 1] * y**2 - 1
    square = b * b - c / a
    root = np.sqrt(np.maximum(square, 0))
    return np.where(square < 0, np.inf, -b - root), root - b


def _normals(solid: Solid, place: Array, face: NDArray[np.intp]) -> Array:
    """Return unit normals at places on the surface: the half-space's, or the quadric's gradient."""
    normals = place @ solid.quadric
    flat = face >= 0
    normals[flat] = solid.normals[face[flat]]
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True))
