"""Procedural twin of the 3D faces: fifty heads on black, turned, tilted and lit from the side."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache

import numpy as np
from numpy.typing import NDArray

from latents.data.images import ImageSet
from latents.data.readers.faces3d import GRID, IMAGE_SHAPE
from latents.data.rendering.lighting import (
    Lamp,
    direction,
    fitted,
    from_above,
    shade,
    softened,
    tilt,
)
from latents.data.rendering.solids import MIRROR, Solid, ellipsoid, limb, pair, transformed
from latents.data.rendering.views import see

SOURCE = "procedural twin of 3D faces"
AZIMUTHS = np.linspace(-60, 60, 21)
ELEVATIONS = np.linspace(-30, 30, 11)
LAMPS = [  # from left to right of the camera, which they stay with
    Lamp(tilt(0) @ direction(azimuth, 25), ambient=0.16, diffuse=0.85, gloss=0.08)
    for azimuth in np.linspace(-75, 75, 11)
]
BLACK = np.zeros((1, 1, 1, 1))


@dataclass(frozen=True)
class Traits:
    """Traits of one head, each between -1 and 1."""

    skin: float
    hair: float
    hairline: float
    width: float
    length: float
    jaw: float
    chin: float
    cheek: float
    eye: float
    eye_distance: float
    nose: float
    nose_width: float
    mouth: float
    lips: float
    ear: float
    brow: float
    brow_slope: float


def traits(identity: int) -> Traits:
    return Traits(*np.random.RandomState(identity).uniform(-1, 1, size=len(fields(Traits))))


def head(t: Traits) -> list[Solid]:
    """Return ellipsoids in units of about half a head; x is forward, z up, the eyes at height 0."""
    return [*_skull(t), *_eyes(t), *_nose(t), *_mouth(t)]


def _skin(t: Traits) -> float:
    return 0.66 + 0.24 * t.skin


def _skull(t: Traits) -> list[Solid]:
    """Return cranium, hair, face, jaw, chin, cheekbones, ears and neck."""
    skin, hair = (_skin(t),), (0.34 + 0.24 * t.hair,)
    wide, low = 0.75 + 0.08 * t.width, 1.0 + 0.1 * t.length
    return [
        ellipsoid((-0.12, 0, 0.32), (0.93, wide, 0.78), skin),
        ellipsoid((-0.26, 0, 0.42 + 0.08 * t.hairline), (0.95, wide + 0.04, 0.76), hair),
        ellipsoid((0.12, 0, -0.25), (0.70, 0.92 * wide, 0.75 * low), skin),
        ellipsoid((0.22, 0, -0.58 * low), (0.50, 0.55 + 0.08 * t.jaw, 0.44), skin),
        ellipsoid((0.52, 0, -0.88 * low), (0.20, 0.22, 0.15 + 0.05 * t.chin), skin),
        *pair((0.42, 0.38, -0.3), (0.25, 0.24 + 0.04 * t.cheek, 0.24), skin),
        *pair((-0.1, wide, -0.12), (0.16, 0.1, 0.24 + 0.07 * t.ear), skin),
        limb((-0.2, 0, -0.5), (-0.25, 0, -1.2), 0.42 + 0.06 * t.jaw, skin),
    ]


def _eyes(t: Traits) -> list[Solid]:
    """Return whites, pupils and brows."""
    apart, size = 0.31 + 0.04 * t.eye_distance, 0.12 + 0.02 * t.eye
    outer, thick = 0.22 + 0.06 * t.brow_slope, 0.05 + 0.02 * t.brow
    brow = limb((0.84, 0.13, 0.21), (0.62, 0.52, outer), thick, (0.22 + 0.15 * t.hair,))
    return [
        *pair((0.66, apart, 0), (0.1, 1.35 * size, 0.8 * size), (0.9,)),
        *pair((0.725, apart, 0), (0.05, 0.65 * size, 0.75 * size), (0.06,)),
        brow,
        *transformed([brow], MIRROR),
    ]


def _nose(t: Traits) -> list[Solid]:
    """Return bridge, tip and nostrils."""
    skin, out, wide = (_skin(t),), 0.2 + 0.09 * t.nose, 0.11 + 0.035 * t.nose_width
    return [
        limb((0.76, 0, 0.08), (0.82 + 0.6 * out, 0, -0.32), 0.1, skin),
        ellipsoid((0.82 + 0.5 * out, 0, -0.34), (0.5 * out + 0.06, wide, 0.1), skin),
        *pair((0.8, wide, -0.37), (0.12, 0.08, 0.07), skin),
    ]


def _mouth(t: Traits) -> list[Solid]:
    """Return two lips, with the dark of the mouth between them."""
    wide, height, lip = 0.27 + 0.05 * t.mouth, -0.62 - 0.06 * t.length, 0.065 + 0.02 * t.lips
    front = 0.69 + 0.03 * t.length
    red, dark = (0.64 * _skin(t),), (0.3 * _skin(t),)
    return [
        ellipsoid((front, 0, height + lip), (0.12, wide, lip), red),
        ellipsoid((front, 0, height - 1.2 * lip), (0.12, 0.85 * wide, 1.2 * lip), red),
        ellipsoid((front, 0, height), (0.11, 0.95 * wide, 0.02), dark),
    ]


@cache
def model(identity: int) -> list[Solid]:
    cameras = [tilt(e) @ from_above(a) for e in ELEVATIONS for a in AZIMUTHS]
    return fitted(head(traits(identity)), cameras)


def pictures(identity: int, azimuth: int, elevation: int) -> NDArray[np.uint8]:
    """Return one view of a head under every lighting, (lightings, 1, 64, 64)."""
    camera = tilt(ELEVATIONS[elevation]) @ from_above(AZIMUTHS[azimuth])
    solids = transformed(model(identity), camera)
    view = softened(see(solids))
    return shade(view, [solid.albedo for solid in solids], LAMPS, BLACK)


def render() -> Iterator[NDArray[np.uint8]]:
    """Yield the whole grid, one block per identity."""
    identities, azimuths, elevations, _ = (range(size) for size in GRID.sizes)
    for identity in identities:
        views = [pictures(identity, a, e) for a in azimuths for e in elevations]
        yield np.concatenate(views)


def make_twin() -> tuple[ImageSet, Iterator[NDArray[np.uint8]]]:
    """Return the description and the rendered images."""
    return ImageSet(SOURCE, IMAGE_SHAPE, GRID), render()
