"""Procedural twin of cars3D: 183 cars in colour on white, from 4 elevations and 24 directions."""

import colorsys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from latents.data.images import ImageSet
from latents.data.readers.cars3d import GRID, IMAGE_SHAPE
from latents.data.rendering.lighting import (
    Lamp,
    direction,
    fitted,
    from_above,
    shade,
    softened,
    tilt,
)
from latents.data.rendering.solids import Albedo, Solid, transformed
from latents.data.rendering.vehicles import Finish, Shape, car
from latents.data.rendering.views import see

SOURCE = "procedural twin of cars3D"
ELEVATIONS = (6.0, 16.0, 26.0, 36.0)
AZIMUTHS = tuple(15.0 * step for step in range(24))
WHITE = np.ones((1, 1, 1, 1))
LAMP = direction(azimuth=-35, elevation=55)
# Cars of one body, depth and saturation are 24 apart; 24 steps of hue are a golden section of
# the circle (modulo 1), which keeps all of these apart from each other.
HUE_STEP = (9 + (3 - 5**0.5) / 2) / 24

BODIES = (
    # length, width, nose, tail, belt, roof, cabin, top, wheel, tray
    Shape(4.6, 1.80, 0.78, 0.90, 0.95, 1.45, (0.12, 0.72), (0.28, 0.55), 0.33),  # saloon
    Shape(3.9, 1.75, 0.80, 0.92, 0.96, 1.52, (0.01, 0.74), (0.12, 0.56), 0.32),  # hatchback
    Shape(4.8, 1.85, 0.80, 0.98, 1.00, 1.55, (0.01, 0.72), (0.06, 0.56), 0.34),  # estate
    Shape(4.7, 1.95, 1.05, 1.15, 1.20, 1.88, (0.01, 0.74), (0.05, 0.60), 0.42),  # off-roader
    Shape(4.9, 1.95, 1.00, 1.15, 1.25, 2.15, (0.00, 0.93), (0.01, 0.76), 0.36),  # van
    Shape(5.2, 1.90, 1.00, 1.10, 1.10, 1.75, (0.40, 0.74), (0.45, 0.62), 0.40, True),  # pick-up
    Shape(4.4, 1.90, 0.66, 0.84, 0.88, 1.22, (0.10, 0.70), (0.30, 0.50), 0.30),  # sports car
    Shape(3.3, 1.62, 0.86, 0.95, 1.00, 1.60, (0.01, 0.84), (0.07, 0.62), 0.30),  # city car
)


def shape_of(number: int) -> Shape:
    """Return one of the bodies in turn, stretched by the car's own factors."""
    stretch = np.random.RandomState(number).uniform(-1, 1, size=5)
    body = BODIES[number % len(BODIES)]
    return replace(
        body,
        length=body.length * (1 + 0.12 * stretch[0]),
        width=body.width * (1 + 0.05 * stretch[1]),
        roof=body.roof + 0.12 * stretch[2],
        top=(body.top[0] + 0.03 * stretch[3], body.top[1] + 0.04 * stretch[4]),
        wheel=body.wheel * (1 + 0.08 * stretch[1]),
    )


def paint_of(number: int) -> Albedo:
    """Return hues around the circle in three depths; every fifth car is between black and white."""
    place = number * HUE_STEP % 1
    if number % 5 == 4:
        return (0.12 + 0.85 * place,) * 3
    depth, saturation = (0.95, 0.7, 0.42)[number // 2 % 3], (0.85, 0.62)[number % 2]
    return colorsys.hsv_to_rgb(place, saturation, depth)


@cache
def model(number: int) -> list[Solid]:
    finish = Finish(
        paint=paint_of(number),
        glass=(0.10, 0.12, 0.15),
        tyre=(0.09, 0.09, 0.09),
        hub=(0.68, 0.68, 0.70),
        headlamp=(1.0, 0.98, 0.86),
        tail_lamp=(0.85, 0.06, 0.05),
    )
    cameras = [tilt(e) @ from_above(a) for e in ELEVATIONS for a in AZIMUTHS]
    return fitted(car(shape_of(number), finish), cameras)


def picture(elevation: int, azimuth: int, number: int) -> NDArray[np.uint8]:
    """Return one image, (3, 64, 64), by the indices of its factors."""
    down = tilt(ELEVATIONS[elevation])
    solids = transformed(model(number), down @ from_above(AZIMUTHS[azimuth]))
    lamp = Lamp(down @ LAMP, ambient=0.42, diffuse=0.62, gloss=0.22)
    view = softened(see(solids))
    (image,) = shade(view, [solid.albedo for solid in solids], [lamp], WHITE)
    return np.asarray(image)


def render() -> Iterator[NDArray[np.uint8]]:
    """Yield the whole grid, one block per direction with all the cars."""
    elevations, azimuths, cars = (range(size) for size in GRID.sizes)
    for elevation in elevations:
        for azimuth in azimuths:
            yield np.stack([picture(elevation, azimuth, number) for number in cars])


def make_twin() -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the rendered images."""
    return ImageSet(SOURCE, IMAGE_SHAPE, GRID), render()
