"""Toy animals and people of one grey each: x is forward, y to the left, z up."""

from dataclasses import dataclass

import numpy as np

from latents.data.rendering.solids import (
    MIRROR,
    Albedo,
    Point,
    Solid,
    Span,
    dome,
    ellipsoid,
    limb,
    pair,
    transformed,
)


@dataclass(frozen=True)
class Animal:
    """Measures of an animal, in units of about a body's girth."""

    grey: float
    body: Point  # half-length, half-width, half-height
    leg: float
    thickness: float  # of a leg
    neck: Span  # forward and upward
    head: float
    snout: float
    ear: float
    tail: float
    horn: float = 0.0
    droop: float = 0.3  # of the snout, per length


ANIMALS = (
    # grey, body, leg, thickness, neck, head, snout, ear, tail, horn, droop
    Animal(0.62, (1.3, 0.75, 0.8), 1, 0.3, (0.35, 0.25), 0.62, 1.2, 0.62, 0.5, 0, 1.4),  # elephant
    Animal(0.86, (0.9, 0.48, 0.55), 1.4, 0.16, (0.60, 1.70), 0.34, 0.40, 0.16, 0.4, 0.2),  # giraffe
    Animal(0.48, (1.2, 0.48, 0.55), 1.3, 0.16, (0.65, 0.85), 0.36, 0.55, 0.17, 1.1),  # horse
    Animal(0.80, (1.1, 0.68, 0.66), 0.5, 0.19, (0.20, 0.08), 0.50, 0.35, 0.22, 0.2),  # pig
    Animal(0.36, (1.4, 0.72, 0.85), 0.9, 0.22, (0.30, 0.05), 0.52, 0.45, 0.15, 0.8, 0.6),  # bull
    Animal(0.72, (0.9, 0.36, 0.40), 0.8, 0.13, (0.30, 0.45), 0.36, 0.45, 0.26, 0.8),  # dog
    Animal(0.42, (1.3, 0.85, 0.90), 0.7, 0.32, (0.25, 0.15), 0.55, 0.40, 0.18, 0.1),  # bear
    Animal(0.92, (1.0, 0.66, 0.68), 0.7, 0.14, (0.25, 0.35), 0.34, 0.30, 0.20, 0.2, 0.3),  # sheep
    Animal(0.56, (1.6, 0.58, 0.42), 0.4, 0.20, (0.35, 0.00), 0.42, 0.90, 0.05, 1.5),  # crocodile
    Animal(0.68, (0.9, 0.38, 0.42), 1.0, 0.12, (0.35, 0.70), 0.30, 0.35, 0.22, 0.2, 0.6),  # deer
)


def animal(kind: Animal) -> list[Solid]:
    """Return the solids of an animal."""
    length, width, height = kind.body
    grey, back = (kind.grey,), kind.leg + 0.8 * height
    chest, head = (0.7 * length, 0.0, back), (length + kind.neck[0], 0.0, back + kind.neck[1])
    reach = kind.head + kind.snout / (1 + kind.droop)
    nose = (head[0] + reach, 0.0, head[2] - 0.4 * kind.head - kind.droop * kind.snout)
    tail = (-length - kind.tail, 0.0, back - 0.5 * kind.tail)
    ear = (head[0] - 0.4 * kind.head, kind.head, head[2] + 0.5 * kind.head)
    return [
        ellipsoid((0, 0, back), kind.body, grey),
        *_legs(kind, (0.62 * length, 0.62 * width, back)),
        limb(chest, head, 0.55 * kind.head + 0.25 * min(width, kind.head), grey),
        ellipsoid(head, (1.15 * kind.head, 0.85 * kind.head, kind.head), grey),
        limb(head, nose, 0.48 * kind.head, grey),
        *pair(ear, (0.1, kind.ear, kind.ear), grey),
        limb((-0.9 * length, 0, back), tail, 0.12, grey),
        *_horns(kind, head),
    ]


def _legs(kind: Animal, hip: Point) -> list[Solid]:
    x, y, z = hip
    return [
        limb((front * x, side * y, z), (front * x, side * y, 0), kind.thickness, (kind.grey,))
        for front in (-1, 1)
        for side in (-1, 1)
    ]


def _horns(kind: Animal, head: Point) -> list[Solid]:
    if kind.horn == 0:
        return []
    x, _, z = head
    tip = (x, 0.5 * kind.head + 0.6 * kind.horn, z + kind.head + kind.horn)
    horn = limb((x, 0.4 * kind.head, z), tip, 0.1, (kind.grey,))
    return [horn, *transformed([horn], MIRROR)]


@dataclass(frozen=True)
class Person:
    """Measures of a person, in units of about a head; angles in degrees from hanging down."""

    grey: float
    leg: float
    torso: Point  # half-depth, half-width, half-height
    limb: float  # thickness of arms and legs
    head: float
    stride: float  # swing of the legs, forward and back
    left_arm: Span  # forward and sideways
    right_arm: Span
    hat: float = 0.0  # radius of the brim
    skirt: float = 0.0  # half-width of its hem


PEOPLE = (
    # grey, leg, torso, limb, head, stride, left arm, right arm, hat, skirt
    Person(0.60, 2.4, (0.45, 0.72, 1.0), 0.26, 0.52, 5, (10, 15), (-10, 15)),  # standing
    Person(0.85, 2.4, (0.40, 0.66, 1.0), 0.22, 0.50, 35, (60, 10), (-50, 10)),  # running
    Person(0.40, 2.1, (0.55, 0.95, 1.1), 0.34, 0.50, 8, (5, 50), (5, 50)),  # strong man
    Person(0.75, 2.2, (0.38, 0.55, 0.9), 0.22, 0.50, 4, (70, 10), (20, 60), 0.0, 1.0),  # in a skirt
    Person(0.50, 2.3, (0.42, 0.66, 1.0), 0.24, 0.50, 15, (90, 5), (20, 10), 0.95),  # cowboy
    Person(0.92, 1.2, (0.50, 0.60, 0.8), 0.26, 0.75, 5, (0, 90), (0, 90)),  # child, arms out
    Person(0.68, 2.5, (0.40, 0.62, 1.1), 0.20, 0.46, 5, (0, 165), (0, 165)),  # arms raised
    Person(0.34, 1.8, (0.75, 0.90, 1.0), 0.30, 0.55, 10, (20, 25), (20, 25), 0.70),  # stout
    Person(0.56, 2.6, (0.36, 0.60, 1.0), 0.20, 0.46, 45, (110, 20), (-70, 20)),  # leaping
    Person(0.80, 2.3, (0.44, 0.72, 1.0), 0.25, 0.55, 5, (0, 150), (0, 20), 0.60, 0.9),  # waving
)


def person(kind: Person) -> list[Solid]:
    """Return the solids of a person."""
    depth, width, height = kind.torso
    waist, grey = kind.leg, (kind.grey,)
    shoulder, neck = waist + 1.6 * height, waist + 2 * height
    sleeve, right = kind.limb, (kind.right_arm[0], -kind.right_arm[1])
    return [
        ellipsoid((0, 0, waist + height), (depth, width, 1.15 * height), grey),
        _swung((0, 0.5 * width, waist), (kind.stride, 3), kind.leg, 1.2 * sleeve, grey),
        _swung((0, -0.5 * width, waist), (-kind.stride, -3), kind.leg, 1.2 * sleeve, grey),
        _swung((0, 0.9 * width, shoulder), kind.left_arm, 2.0, sleeve, grey),
        _swung((0, -0.9 * width, shoulder), right, 2.0, sleeve, grey),
        ellipsoid(
            (0.05, 0, neck + kind.head), (kind.head, 0.9 * kind.head, 1.15 * kind.head), grey
        ),
        limb((0, 0, neck - 0.2), (0, 0, neck + 0.4), 0.4 * kind.head, grey),
        *(_hat(kind, neck + 1.6 * kind.head) if kind.hat else []),
        *(_skirt(kind) if kind.skirt else []),
    ]


def _skirt(kind: Person) -> list[Solid]:
    radii = (kind.skirt, kind.skirt, 0.75 * kind.leg)
    return [dome((0, 0, 0.45 * kind.leg), radii, (kind.grey,))]


def _hat(kind: Person, z: float) -> list[Solid]:
    grey, head = (kind.grey,), kind.head
    brim = ellipsoid((0, 0, z), (kind.hat, kind.hat, 0.12), grey)
    return [brim, dome((0, 0, z), (0.9 * head, 0.9 * head, head), grey)]


def _swung(joint: Point, swing: Span, length: float, radius: float, albedo: Albedo) -> Solid:
    """Return a limb that hangs from a joint, swung forward and to the left (degrees)."""
    forward, left = np.radians(swing)
    ahead, down = np.sin(forward) * np.cos(left), np.cos(forward) * np.cos(left)
    way = np.array([ahead, np.sin(left), -down])
    end = np.add(joint, length * way)
    return limb(joint, (end[0], end[1], end[2]), radius, albedo)
