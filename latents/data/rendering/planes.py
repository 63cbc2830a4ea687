"""Toy aeroplanes of one grey each: x is forward, y to the left, z up."""

from dataclasses import dataclass

import numpy as np

from latents.data.rendering.solids import (
    MIRROR,
    Albedo,
    Point,
    Solid,
    Span,
    ellipsoid,
    limb,
    prism,
    transformed,
)

FLAT = np.array([[1.0, 0, 0], [0, 0, 1], [0, 1, 0]])  # lays an upright outline on its side
THICKNESS = 0.09  # half of a wing's


@dataclass(frozen=True)
class Plane:
    """Measures of an aeroplane, in units of about a fuselage's diameter."""

    grey: float
    fuselage: Point  # half-length, half-width, half-height
    span: float
    chord: float
    sweep: float  # by how much the tips are behind the roots
    wing: float  # height of the wing above the middle of the fuselage
    fin: float
    tailplane: float
    engines: tuple[float, ...] = ()  # distances of the engines under one wing
    upper_wing: bool = False


PLANES = (
    # grey, fuselage, span, chord, sweep, wing, fin, tailplane, engines, upper wing
    Plane(0.80, (3.6, 0.50, 0.50), 3.4, 0.85, 1.4, -0.2, 1.2, 1.3, (1.2,)),  # airliner
    Plane(0.45, (2.4, 0.40, 0.50), 3.0, 0.90, 0.0, 0.5, 0.8, 1.1),  # light aircraft
    Plane(0.62, (3.0, 0.40, 0.40), 1.8, 1.40, 2.0, 0.0, 1.1, 0.9),  # jet fighter
    Plane(0.88, (2.1, 0.45, 0.55), 2.7, 0.80, 0.0, -0.4, 0.8, 1.0, (), True),  # biplane
    Plane(0.52, (3.4, 0.75, 0.75), 3.8, 1.00, 0.6, 0.6, 1.6, 1.6, (1.2, 2.3)),  # transport
    Plane(0.94, (2.4, 0.25, 0.28), 4.2, 0.45, 0.1, 0.1, 0.7, 0.9),  # glider
    Plane(0.38, (3.0, 0.55, 0.45), 3.0, 1.30, 0.3, -0.1, 1.0, 1.4, (1.4,)),  # bomber
    Plane(0.70, (3.8, 0.35, 0.35), 1.5, 2.40, 2.6, -0.2, 1.0, 0.0),  # delta wing
    Plane(0.56, (1.8, 0.60, 0.65), 2.2, 0.95, 0.0, -0.3, 0.9, 1.1),  # racer
    Plane(0.75, (2.8, 0.80, 0.60), 3.4, 1.20, 1.0, 0.7, 1.3, 1.2, (1.7,)),  # flying boat
)


def plane(kind: Plane) -> list[Solid]:
    """Return the solids of an aeroplane."""
    length, width, height = kind.fuselage
    grey, middle, tail = (kind.grey,), 0.15 * length, -0.82 * length
    canopy = (0.45 * length, 0, 0.7 * height), (0.22 * length, 0.6 * width, 0.5 * height)
    wing, tailplane = (kind.span, kind.chord), (kind.tailplane, 0.45)
    return [
        ellipsoid((0, 0, 0), kind.fuselage, grey),
        ellipsoid(*canopy, grey),
        *_wings((middle, kind.wing), wing, kind.sweep, grey),
        *(_wings((middle, kind.wing + 1.3), wing, 0, grey) if kind.upper_wing else []),
        *(_wings((tail, 0.1), tailplane, 0.4, grey) if kind.tailplane else []),
        _fin(tail, kind.fin, grey),
        *(solid for distance in kind.engines for solid in _engines(kind, distance)),
    ]


def _wings(root: Span, size: Span, sweep: float, albedo: Albedo) -> list[Solid]:
    """Return both wings: a tapering outline, lying flat, with its tips `sweep` behind its roots."""
    (x, z), (span, chord) = root, size
    outline = [(-chord, 0), (chord, 0), (0.5 * chord - sweep, span), (-0.5 * chord - sweep, span)]
    upright = prism(outline, (THICKNESS, 0.5 * THICKNESS), albedo)
    wing = transformed([upright], FLAT, shift=(x, 0, z))
    return [*wing, *transformed(wing, MIRROR)]


def _fin(x: float, height: float, albedo: Albedo) -> Solid:
    outline = [(x - 0.4, 0), (x + 0.6, 0), (x - 0.1, height), (x - 0.6, height)]
    return prism(outline, (THICKNESS, 0.5 * THICKNESS), albedo)


def _engines(kind: Plane, distance: float) -> list[Solid]:
    """Return one engine under each wing, its front before the wing's leading edge."""
    x = 0.15 * kind.fuselage[0] - kind.sweep * distance / kind.span
    start, end = (
        (x - 0.3, distance, kind.wing - 0.25),
        (x + 1.1 * kind.chord, distance, kind.wing - 0.25),
    )
    engine = limb(start, end, 0.26, (kind.grey,))
    return [engine, *transformed([engine], MIRROR)]
