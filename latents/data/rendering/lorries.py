"""Toy lorries, grey, each with its kind of load: x is forward, y to the left, z up, in metres."""

from dataclasses import dataclass

import numpy as np

from latents.data.rendering.solids import (
    STILL,
    Albedo,
    Solid,
    Span,
    box,
    cylinder,
    ellipsoid,
    limb,
    prism,
    transformed,
)
from latents.data.rendering.vehicles import axle

LENGTHWISE = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1]])  # turns a cylinder along x
HALF_WIDTH = 1.05  # of every lorry


@dataclass(frozen=True)
class Lorry:
    """Proportions of a lorry, and the kind of its load."""

    grey: float
    cab: Span  # length and height
    bonnet: float  # length of an engine hood before the cab
    load: str  # one of LOADS
    size: Span  # length and height of the load
    axles: tuple[float, ...]  # shares of the whole length, from the tail to the nose
    wheel: float


LORRIES = (
    # grey, cab, bonnet, load, size, axles, wheel
    Lorry(0.82, (1.5, 2.3), 0.0, "box", (4.2, 2.9), (0.15, 0.85), 0.45),
    Lorry(0.50, (1.4, 2.2), 0.0, "tank", (4.8, 1.9), (0.10, 0.22, 0.86), 0.45),
    Lorry(0.64, (1.5, 2.2), 0.9, "dumper", (3.2, 1.6), (0.14, 0.34, 0.86), 0.55),
    Lorry(0.36, (1.4, 2.1), 0.0, "flatbed", (4.6, 0.3), (0.10, 0.24, 0.86), 0.45),
    Lorry(0.90, (1.6, 2.1), 0.0, "mixer", (3.6, 1.8), (0.12, 0.28, 0.86), 0.48),
    Lorry(0.58, (1.5, 2.4), 1.2, "box", (6.0, 2.9), (0.06, 0.16, 0.58, 0.90), 0.45),
    Lorry(0.72, (1.9, 2.2), 0.0, "ladder", (4.2, 1.4), (0.16, 0.82), 0.48),
    Lorry(0.44, (1.3, 1.9), 0.8, "tank", (2.4, 1.5), (0.18, 0.84), 0.42),
    Lorry(0.94, (1.3, 1.9), 0.7, "flatbed", (2.4, 0.7), (0.20, 0.84), 0.50),
    Lorry(0.40, (1.8, 3.0), 0.0, "dumper", (2.6, 2.2), (0.24, 0.78), 0.80),
)


def lorry(kind: Lorry) -> list[Solid]:
    """Return a chassis with wheels, the load on its rear, then the cab, then the bonnet if any."""
    whole = kind.size[0] + 0.2 + kind.cab[0] + kind.bonnet
    paint, dark = (kind.grey,), (0.45 * kind.grey,)
    floor, rear = 1.2 * kind.wheel, -whole / 2
    load = LOADS[kind.load](*kind.size, paint)
    wheels = [axle(rear + x * whole, HALF_WIDTH, kind.wheel, dark, paint) for x in kind.axles]
    return [
        box((0, 0, floor), (whole / 2, 0.8 * HALF_WIDTH, 0.15), dark),
        *transformed(load, STILL, shift=(rear + kind.size[0] / 2, 0, floor + 0.15)),
        *_cab(kind, rear + kind.size[0] + 0.2, floor, paint, dark),
        *(solid for axle_wheels in wheels for solid in axle_wheels),
    ]


def _cab(kind: Lorry, x: float, floor: float, paint: Albedo, dark: Albedo) -> list[Solid]:
    """Return the cab and its panes, which are slightly larger than it, as on a car."""
    length, height = kind.cab
    base, front = floor - 0.1, x + length
    sill, lintel = 0.55 * height, 0.9 * height
    outline = [(x, base), (front, base), (front, 0.5 * height), (front - 0.2, height), (x, height)]
    screen = [(x + 0.3, sill), (front, sill), (front - 0.14, lintel), (x + 0.3, lintel)]
    side = [(x + 0.4, sill), (front - 0.3, sill), (front - 0.4, lintel), (x + 0.4, lintel)]
    hood = (front + kind.bonnet / 2, 0, 0.42 * height), (kind.bonnet / 2, 0.8, 0.2 * height)
    return [
        prism(outline, (HALF_WIDTH, HALF_WIDTH), paint),
        prism(screen, (0.85, 0.85), dark),
        prism(side, (HALF_WIDTH + 0.03, HALF_WIDTH + 0.03), dark),
        *([box(*hood, paint)] if kind.bonnet else []),
    ]


def _closed(length: float, height: float, paint: Albedo) -> list[Solid]:
    return [box((0, 0, height / 2), (length / 2, 1.1 * HALF_WIDTH, height / 2), paint)]


def _tank(length: float, height: float, paint: Albedo) -> list[Solid]:
    barrel = cylinder((0, 0, height / 2), height / 2, 0.48 * length, paint)
    hatches = [box((x * length, 0, height), (0.25, 0.3, 0.12), paint) for x in (-0.25, 0.2)]
    return [*transformed([barrel], LENGTHWISE), *hatches]


def _dumper(length: float, height: float, paint: Albedo) -> list[Solid]:
    """Return a skip with a sloping rear, and a heap in it."""
    half = length / 2
    skip = [(0.1 - half, 0), (half, 0), (half, height), (-half - 0.3, 0.8 * height)]
    heap = ellipsoid((0, 0, 0.8 * height), (0.8 * half, 0.8, 0.35 * height), paint)
    return [prism(skip, (0.85 * HALF_WIDTH, 1.15 * HALF_WIDTH), paint), heap]


def _flatbed(length: float, height: float, paint: Albedo) -> list[Solid]:
    """Return a platform with a headboard and three logs."""
    floor = box((0, 0, 0.1), (length / 2, HALF_WIDTH, 0.1), paint)
    board = box((length / 2 - 0.06, 0, 0.6), (0.06, HALF_WIDTH, 0.6), paint)
    radius = 0.25 + height / 4
    rounds = [(-radius, radius), (radius, radius), (0, 2.7 * radius)]
    logs = [cylinder((y, 0, z + 0.2), radius, 0.42 * length, paint) for y, z in rounds]
    return [floor, board, *transformed(logs, LENGTHWISE)]


def _mixer(length: float, height: float, paint: Albedo) -> list[Solid]:
    """Return a pear-shaped drum on two stands, its mouth high at the rear."""
    front, rear = (0.3 * length, 0, 0.5 * height), (-0.45 * length, 0, 0.95 * height)
    stands = [box((x * length, 0, 0.3), (0.12, 0.7, 0.35), paint) for x in (-0.4, 0.35)]
    return [limb(front, rear, 0.5 * height, paint), *stands]


def _ladder(length: float, height: float, paint: Albedo) -> list[Solid]:
    """Return a fire engine's body with a raised ladder."""
    body = box((0, 0, height / 2), (length / 2, HALF_WIDTH, height / 2), paint)
    rails = [
        limb((-0.4 * length, y, height + 0.2), (0.7 * length, y, height + 1.6), 0.17, paint)
        for y in (-0.35, 0.35)
    ]
    return [body, *rails]


LOADS = {
    "box": _closed,
    "tank": _tank,
    "dumper": _dumper,
    "flatbed": _flatbed,
    "mixer": _mixer,
    "ladder": _ladder,
}
