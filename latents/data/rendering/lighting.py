"""Images from views: camera positions, lamps, shading, and averaging of 2 x 2 pixels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from latents.data.rendering.solids import STILL, Albedo, Array, Solid, transformed
from latents.data.rendering.views import CENTRES, SIDE, View

GLOSS = 16  # exponent of the highlight
SOFTNESS = 0.024  # standard deviation of the blur of normals, in half frames
FRAME_FILL = 0.94  # half of the frame that the largest extent over all views takes up


@dataclass(frozen=True)
class Lamp:
    """A light: its direction in the camera's frame and the strength of each term."""

    direction: Array  # (3,) unit, from the object towards the lamp
    ambient: float
    diffuse: float
    gloss: float


def from_above(azimuth: float) -> Array:
    """Return the rotation to the frame of a camera above the object: right, away, up.

    The object's x axis, its front, points at the viewer when the azimuth (degrees) is 0.
    """
    cos, sin = np.cos(np.radians(azimuth)), np.sin(np.radians(azimuth))
    return np.array([[-sin, cos, 0], [-cos, -sin, 0], [0, 0, 1]])


def tilt(elevation: float) -> Array:
    """Return the rotation from the frame of `from_above` to a camera at an elevation (degrees)."""
    cos, sin = np.cos(np.radians(elevation)), np.sin(np.radians(elevation))
    return np.array([[1, 0, 0], [0, sin, cos], [0, -cos, sin]])


def direction(azimuth: float, elevation: float) -> Array:
    """Return a unit vector (right, away, up); azimuth 0 is the viewer's side, 90 the right."""
    a, e = np.radians(azimuth), np.radians(elevation)
    return np.array([np.sin(a) * np.cos(e), -np.cos(a) * np.cos(e), np.sin(e)])


def fitted(solids: Sequence[Solid], cameras: Sequence[Array]) -> list[Solid]:
    """Return the solids centred on the middle of their extents and as large as all views allow."""
    ends = np.array([s.centre + side * s.reach(STILL) for s in solids for side in (-1, 1)])
    middle = (ends.min(axis=0) + ends.max(axis=0)) / 2
    centred = transformed(solids, STILL, shift=-middle)
    turns = np.stack(cameras)[:, :2]  # to the right and up; depth is not bounded
    extent = max(float((np.abs(turns @ s.centre) + s.reach(turns)).max()) for s in centred)
    return transformed(centred, STILL * FRAME_FILL / extent)


def softened(view: View) -> View:
    """Return the view with blurred normals, which rounds off the creases where solids meet.

    Empty pixels have a zero normal, so normalising the sums is all the weighting that a
    silhouette needs.
    """
    weights = gaussian(SOFTNESS).astype(np.float32)
    sums = np.stack([weights @ view.normals[..., i] @ weights for i in range(3)], axis=-1)
    lengths = np.sqrt((sums**2).sum(axis=-1, keepdims=True)) + np.float32(1e-9)
    return replace(view, normals=sums / lengths)


@cache
def gaussian(width: float) -> Array:
    """Return the symmetric matrix of weights of every pixel of a line in each blurred value."""
    weights = np.exp(-((CENTRES - CENTRES[:, None]) ** 2) / (2 * width**2))
    return np.asarray(weights / weights.sum(axis=1).max())


def shade(
    view: View, albedos: Sequence[Albedo], lamps: Sequence[Lamp], background: Array
) -> NDArray[np.uint8]:
    """Return images (lamps, channels, rows, columns) of one view over a background of that layout.

    value = albedo (ambient + diffuse max(0, n.l)) + gloss max(0, n.h)^GLOSS, with l the lamp's
    direction and h halfway between l and the camera.
    """
    covered = np.flatnonzero(view.covered)
    normals = view.normals.reshape(-1, 3)[covered]
    colour = np.array(albedos, dtype=np.float32)[view.part.ravel()[covered]]
    canvas = np.empty((len(lamps), colour.shape[1], SIDE * SIDE), dtype=np.float32)
    canvas[:] = background.reshape(*background.shape[:2], -1)
    for image, lamp in zip(canvas, lamps, strict=True):
        light, highlight = _light(normals, lamp)
        image[:, covered] = colour.T * light + highlight
    return _averaged(canvas.reshape(*canvas.shape[:2], SIDE, SIDE))


def _light(
    normals: NDArray[np.float32], lamp: Lamp
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the light that the albedo multiplies, and the light that it does not."""
    halfway = lamp.direction + np.array([0, 0, 1])
    halfway /= np.linalg.norm(halfway)
    facing, mirroring = np.maximum(
        np.stack([lamp.direction, halfway]).astype(np.float32) @ normals.T, 0
    )
    return lamp.ambient + lamp.diffuse * facing, lamp.gloss * mirroring**GLOSS


def _averaged(canvas: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return the means of 2 x 2 pixels of values in 0..1, as bytes."""
    columns = canvas[..., ::2] + canvas[..., 1::2]
    means = (columns[..., ::2, :] + columns[..., 1::2, :]) / 4
    return np.asarray(np.clip(means * 255 + 0.5, 0, 255)).astype(np.uint8)
