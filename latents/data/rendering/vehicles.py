"""Cars built from prisms and cylinders: x is forward, y to the left, z up, in metres."""

from dataclasses import dataclass

from latents.data.rendering.solids import Albedo, Solid, Span, box, cylinder, pair, prism

CLEARANCE = 0.22  # of the body above the ground
PROUD = 0.012  # by which glass and lamps stand out of the body
WAIST, EAVES = 0.92, 0.74  # width of the cabin at the belt and at the roof, to that of the car


@dataclass(frozen=True)
class Finish:
    """Albedo of each kind of part."""

    paint: Albedo
    glass: Albedo
    tyre: Albedo
    hub: Albedo
    headlamp: Albedo
    tail_lamp: Albedo


@dataclass(frozen=True)
class Shape:
    """Proportions of a car; positions along it are shares of its length, from tail to nose."""

    length: float
    width: float
    nose: float  # height of the bonnet's front edge
    tail: float  # height of the boot's rear edge
    belt: float  # height of the lower edge of the windows
    roof: float
    cabin: Span  # where the cabin stands on the body
    top: Span  # where the roof begins and ends
    wheel: float  # radius
    tray: bool = False  # an open load bed behind the cabin

    def x(self, share: float) -> float:
        return (share - 0.5) * self.length


def car(shape: Shape, finish: Finish) -> list[Solid]:
    """Return the solids of a car."""
    return [
        _hull(shape, finish),
        *_cabin(shape, finish),
        *_wheels(shape, 0.19, finish),
        *_wheels(shape, 0.81, finish),
        *_ends(shape, finish),
        *_tray(shape, finish),
    ]


def _hull(shape: Shape, finish: Finish) -> Solid:
    """Return the body up to the belt, rounded off towards the nose and the tail."""
    x = shape.x
    under = [(x(0.03), CLEARANCE), (x(0.96), CLEARANCE)]
    front = [(x(1), 0.65 * shape.nose), (x(0.98), shape.nose), (x(shape.cabin[1]), shape.belt)]
    rear = [(x(shape.cabin[0]), shape.belt), (x(0.01), shape.tail), (x(0), 0.65 * shape.tail)]
    return prism([*under, *front, *rear], (shape.width / 2, WAIST * shape.width / 2), finish.paint)


def _cabin(shape: Shape, finish: Finish) -> list[Solid]:
    """Return the painted cabin and its panes, parts of a larger one with pillars between."""
    middle = shape.x(sum(shape.cabin + shape.top) / 4)
    post = (middle - 0.06, middle + 0.06)
    return [
        _storey(shape, (0, 1), _ends_at(shape, (0, 1)), 1, 0, finish.paint),
        _storey(shape, (0.1, 0.86), _ends_at(shape, (0.1, 0.86), -PROUD), 0.86, 0, finish.glass),
        _storey(shape, (0.12, 0.8), _ends_at(shape, (0.12, 0.8), 0.13), 1, PROUD, finish.glass),
        _storey(shape, (0, 1), [post, post], 1, 2 * PROUD, finish.paint),
    ]


def _ends_at(shape: Shape, heights: Span, inset: float = 0) -> list[Span]:
    """Return where the cabin begins and ends at two shares of its height, drawn in by `inset`."""
    (tail, nose), (rear, front) = shape.cabin, shape.top
    return [
        (shape.x(tail + h * (rear - tail)) + inset, shape.x(nose + h * (front - nose)) - inset)
        for h in heights
    ]


def _storey(
    shape: Shape, heights: Span, ends: list[Span], scale: float, extra: float, albedo: Albedo
) -> Solid:
    """Return the part between two shares of the cabin's height, about as wide as it is there."""
    z = [shape.belt + h * (shape.roof - shape.belt) for h in heights]
    low, high = (shape.width / 2 * (WAIST + h * (EAVES - WAIST)) * scale + extra for h in heights)
    (a, b), (c, d) = ends
    return prism([(a, z[0]), (b, z[0]), (d, z[1]), (c, z[1])], (low, high), albedo)


def axle(x: float, half_width: float, radius: float, tyre: Albedo, hub: Albedo) -> list[Solid]:
    """Return both wheels of an axle, their hubs a little further out than their tyres."""
    return [
        cylinder((x, 0, radius), radius, half_width + 3 * PROUD, tyre),
        cylinder((x, 0, radius), 0.56 * radius, half_width + 5 * PROUD, hub),
    ]


def _wheels(shape: Shape, share: float, finish: Finish) -> list[Solid]:
    """Return an axle and the dark arches of its wheels."""
    x, half, radius = shape.x(share), shape.width / 2, 1.09 * shape.wheel
    arches = cylinder((x, 0, radius), radius, half + PROUD, finish.glass)
    return [arches, *axle(x, half, shape.wheel, finish.tyre, finish.hub)]


def _ends(shape: Shape, finish: Finish) -> list[Solid]:
    """Return headlamps and a grille at the nose, and red lamps at the tail."""
    half = shape.width / 2
    front, rear = shape.x(0.985), shape.x(0.012)
    grille = box((front, 0, 0.56 * shape.nose), (0.05, 0.5 * half, 0.11), finish.glass)
    return [
        *pair((front, 0.7 * half, 0.78 * shape.nose), (0.1, 0.2 * half, 0.1), finish.headlamp),
        *pair((rear, 0.74 * half, 0.78 * shape.tail), (0.1, 0.17 * half, 0.11), finish.tail_lamp),
        grille,
    ]


def _tray(shape: Shape, finish: Finish) -> list[Solid]:
    """Return the floor of a load bed: dark, inside a painted rim."""
    if not shape.tray:
        return []
    rear, front = shape.x(0.03), shape.x(shape.cabin[0] - 0.02)
    centre = (rear + front) / 2, 0.0, shape.belt - 0.1
    half = (front - rear) / 2, 0.78 * shape.width / 2, 0.1 + PROUD
    return [box(centre, half, finish.glass)]
