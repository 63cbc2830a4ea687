"""Procedural twin of smallNORB: fifty grey toys on a table, under six lightings."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from latents.data.images import ImageSet
from latents.data.readers.smallnorb import GRID, IMAGE_SHAPE
from latents.data.rendering.creatures import ANIMALS, PEOPLE, animal, person
from latents.data.rendering.lighting import (
    Lamp,
    direction,
    fitted,
    from_above,
    gaussian,
    shade,
    softened,
    tilt,
)
from latents.data.rendering.lorries import LORRIES, lorry
from latents.data.rendering.planes import PLANES, plane
from latents.data.rendering.solids import STILL, Array, Solid, transformed
from latents.data.rendering.vehicles import Finish, Shape, car
from latents.data.rendering.views import CENTRES, SIDE, see

SOURCE = "procedural twin of smallNORB"
ELEVATIONS = tuple(30.0 + 5 * step for step in range(9))
AZIMUTHS = tuple(20.0 * step for step in range(18))
LAMPS = [direction(azimuth, 48) for azimuth in (-80.0, -48.0, -16.0, 16.0, 48.0, 80.0)]
STRENGTHS = np.linspace(0.50, 0.90, 6)
TABLE = 0.66 + 0.28 * STRENGTHS  # brightness of the table, which is light and lit from above
SHADOW = 0.55  # share of the table's brightness that a full shadow takes away
PENUMBRA = 0.045  # standard deviation of a shadow's edge, in half frames
FADED = 0.95  # half frames from the middle at which shadows have faded, so borders stay plain

CARS = (
    # grey, then the shape: length, width, nose, tail, belt, roof, cabin, top, wheel
    (0.60, Shape(4.6, 1.80, 0.78, 0.90, 0.95, 1.45, (0.12, 0.72), (0.28, 0.55), 0.33)),
    (0.85, Shape(3.2, 1.65, 0.90, 0.95, 1.00, 1.65, (0.01, 0.86), (0.08, 0.60), 0.32)),
    (0.42, Shape(4.4, 1.95, 0.62, 0.84, 0.86, 1.18, (0.10, 0.66), (0.30, 0.46), 0.32)),
    (0.74, Shape(4.9, 1.95, 1.05, 1.20, 1.25, 2.25, (0.00, 0.92), (0.01, 0.78), 0.38)),
    (0.36, Shape(4.5, 2.00, 1.10, 1.15, 1.20, 1.95, (0.01, 0.70), (0.02, 0.62), 0.46)),
    (0.92, Shape(5.4, 1.90, 0.85, 0.92, 0.95, 1.45, (0.20, 0.60), (0.30, 0.50), 0.36)),
    (0.52, Shape(5.0, 1.90, 1.00, 1.10, 1.10, 1.80, (0.42, 0.74), (0.46, 0.64), 0.42, True)),
    (0.68, Shape(3.6, 1.75, 0.70, 0.75, 0.95, 1.50, (0.10, 0.82), (0.36, 0.56), 0.34)),
    (0.46, Shape(5.2, 1.85, 0.80, 1.00, 1.02, 1.55, (0.01, 0.68), (0.05, 0.54), 0.34)),
    (0.80, Shape(4.0, 2.10, 0.68, 0.95, 0.95, 1.25, (0.30, 0.60), (0.38, 0.50), 0.30)),
)


def grey_car(grey: float, shape: Shape) -> list[Solid]:
    """Return a car of one grey, except for its windows and tyres."""
    paint, dark = (grey,), (0.45 * grey,)
    return car(shape, Finish(paint, dark, dark, hub=paint, headlamp=paint, tail_lamp=paint))


@cache
def models() -> list[list[Solid]]:
    """Return the fifty toys, ten of each category in turn, each filling the frame."""
    toys = [
        *(animal(row) for row in ANIMALS),
        *(person(row) for row in PEOPLE),
        *(plane(row) for row in PLANES),
        *(lorry(row) for row in LORRIES),
        *(grey_car(*row) for row in CARS),
    ]
    cameras = [tilt(e) @ from_above(a) for e in ELEVATIONS for a in AZIMUTHS]
    return [fitted(toy, cameras) for toy in toys]


@dataclass(frozen=True)
class Scene:
    """A turned toy on the table, the same from every elevation and under every lamp."""

    solids: list[Solid]
    table: float  # height of the table's surface, below the toy's middle
    shadows: Array  # (lamps, rows, columns)


def scene(toy: int, azimuth: int) -> Scene:
    solids = transformed(models()[toy], from_above(AZIMUTHS[azimuth]))
    table = float(min(solid.centre[2] - solid.reach(STILL)[2] for solid in solids))
    return Scene(solids, table, np.stack([_shadow(solids, table, lamp) for lamp in LAMPS]))


def pictures(of: Scene, elevation: int) -> NDArray[np.uint8]:
    """Return one view, (lightings, 1, 64, 64); the lamps do not move with the camera."""
    down = tilt(ELEVATIONS[elevation])
    lamps = [
        Lamp(down @ lamp, ambient=0.34, diffuse=strength, gloss=0.12)
        for lamp, strength in zip(LAMPS, STRENGTHS, strict=True)
    ]
    view = softened(see(transformed(of.solids, down)))
    background = _table(of, ELEVATIONS[elevation])
    return shade(view, [solid.albedo for solid in of.solids], lamps, background)


def _shadow(solids: list[Solid], table: float, lamp: Array) -> Array:
    """Return how dark each place of the table is (0..1), seen from above, in its coordinates.

    A lamp in direction l casts the shadow of a point at height h at its place minus
    h (l_x, l_y) / l_z: sheared like that, the solids cover their own shadow.
    """
    lean = lamp / lamp[2]
    shear = np.array([[1, 0, -lean[0]], [0, 1, -lean[1]], [0, 0, 1]])
    cover = see(transformed(solids, shear, shift=(table * lean[0], table * lean[1], 0))).covered
    blur = gaussian(PENUMBRA)
    return np.asarray(blur @ cover @ blur * _fade(np.hypot(CENTRES, CENTRES[:, None])))


def _fade(distance: Array) -> Array:
    """Return 1 near the middle, and 0 from FADED on."""
    return np.clip(5 * (FADED - distance), 0, 1)


def _table(of: Scene, elevation: float) -> Array:
    """Return the table behind a toy, (lightings, 1, rows, columns).

    A place at distance g behind the middle is seen at y = g sin(e) + table cos(e): rows of the
    shadow are stretched, columns stay.
    """
    cos, sin = np.cos(np.radians(elevation)), np.sin(np.radians(elevation))
    rows = np.searchsorted(CENTRES, (CENTRES + of.table * cos) / sin).clip(0, SIDE - 1)
    darkness = SHADOW * of.shadows[:, rows] * _fade(np.abs(CENTRES))[:, None]
    return np.asarray(TABLE[:, None, None] * (1 - darkness))[:, None]


def render() -> Iterator[NDArray[np.uint8]]:
    """Yield the whole grid, one block per toy."""
    categories, instances, elevations, azimuths, _ = GRID.sizes
    for toy in range(categories * instances):
        scenes = [scene(toy, azimuth) for azimuth in range(azimuths)]
        views = [pictures(of, elevation) for elevation in range(elevations) for of in scenes]
        yield np.concatenate(views)


def make_twin() -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the rendered images."""
    return ImageSet(SOURCE, IMAGE_SHAPE, GRID), render()
