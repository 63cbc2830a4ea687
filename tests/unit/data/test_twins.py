"""The procedural twins: each factor is seen, views change smoothly, and nothing is cut off."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from types import ModuleType

import numpy as np
import pytest

from latents.data.rendering.views import CENTRES
from latents.data.twins import cars3d, faces3d, smallnorb

# Both are mean absolute differences of values in 0..1 over all pixels of the image, background
# included; an object covers a sixth to a third of them.
VISIBLE = 0.0025  # of neighbouring values of a factor: two to four grey levels of 255 on the object
DISTINCT = 0.01  # of two objects in the same view: about ten grey levels on the object


@dataclass(frozen=True)
class Case:
    module: ModuleType
    image: Callable[..., np.ndarray]  # by the indices of all factors
    bases: tuple[tuple[int, ...], ...]  # factor vectors that single factors are changed from
    continuous: tuple[int, ...]
    cyclic: tuple[int, ...] = ()


@cache
def toy(number: int, azimuth: int, elevation: int) -> np.ndarray:
    return smallnorb.pictures(scene(number, azimuth), elevation)


scene = cache(smallnorb.scene)


CASES = {
    "smallnorb": Case(
        smallnorb,
        lambda category, instance, e, a, light: toy(10 * category + instance, a, e)[light],
        bases=((0, 2, 1, 3, 1), (1, 9, 8, 5, 2), (3, 5, 7, 3, 4)),
        continuous=(2, 3, 4),
        cyclic=(3,),
    ),
    "cars3d": Case(
        cars3d,
        cars3d.picture,
        bases=((0, 0, 0), (2, 9, 45), (3, 6, 182)),
        continuous=(0, 1),
        cyclic=(1,),
    ),
    "faces3d": Case(
        faces3d,
        lambda identity, a, e, light: faces3d.pictures(identity, a, e)[light],
        bases=((0, 10, 5, 5), (7, 2, 9, 1), (31, 18, 0, 8)),
        continuous=(1, 2, 3),
    ),
}
EACH = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@cache
def traversal(case: Case, base: tuple[int, ...], factor: int) -> np.ndarray:
    """Images over all values of one factor, as values in 0..1."""
    values = range(case.module.GRID.sizes[factor])
    images = [case.image(*base[:factor], value, *base[factor + 1 :]) for value in values]
    return np.stack(images) / 255


def difference(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.abs(one - other).mean(axis=(-3, -2, -1))


@EACH
def test_every_step_of_every_continuous_factor_is_visible(case):
    for base in case.bases:
        for factor in case.continuous:
            images = traversal(case, base, factor)
            steps = difference(images[1:], images[:-1])
            assert steps.min() > VISIBLE, (case.module.GRID.names[factor], base, steps.argmin())


@EACH
def test_a_neighbour_is_closer_than_a_far_value(case):
    """Far is half of the values away, or a quarter turn: a car's front resembles its rear.

    An aeroplane is left out: nearly a cross, it resembles itself after a quarter turn as well.
    """
    for base in case.bases:
        for factor in case.continuous:
            images = traversal(case, base, factor)
            away = len(images) // (4 if factor in case.cyclic else 2)
            near = difference(images[1:], images[:-1])[: len(images) - away]
            far = difference(images[away:], images[:-away])
            assert (near < far).all(), (case.module.GRID.names[factor], base, near / far)


@pytest.mark.parametrize("name", ["smallnorb", "cars3d"])
def test_the_last_azimuth_is_next_to_the_first(name):
    case = CASES[name]
    for base in case.bases:
        images = traversal(case, base, *case.cyclic)
        steps = difference(images, np.roll(images, -1, axis=0))
        assert steps[-1] < 1.5 * np.median(steps)


def test_light_on_a_face_moves_from_left_to_right():
    """Its right half, seen from the front, has a growing share of the light."""
    images = traversal(CASES["faces3d"], (0, 10, 5, 0), 3)
    share = images[..., 32:].sum(axis=(1, 2, 3)) / images.sum(axis=(1, 2, 3))
    assert (np.diff(share) > 0.005).all()
    assert share[5] == pytest.approx(0.5, abs=1e-3)


def test_shadows_on_the_table_move_from_right_to_left():
    """By at least a pixel of the image from lamp to lamp, under a standing figure."""
    shadows = scene(10, 0).shadows
    middle = (shadows * CENTRES).sum(axis=(1, 2)) / shadows.sum(axis=(1, 2))
    assert (np.diff(middle) < -2 / 64).all()


@pytest.fixture(scope="module")
def gallery() -> dict[str, np.ndarray]:
    """Every object of each dataset in one and the same view."""
    return {
        "smallnorb": np.stack([toy(number, 2, 2)[2] for number in range(50)]),
        "cars3d": np.stack([cars3d.picture(2, 3, number) for number in range(183)]),
        "faces3d": np.stack([faces3d.pictures(number, 12, 5)[6] for number in range(50)]),
    }


@pytest.mark.parametrize("name", CASES)
def test_all_objects_are_distinct(name, gallery):
    """Which is to say that categories, instances, identities and cars are visible too."""
    images = gallery[name].astype(np.float32) / 255
    for number, image in enumerate(images[:-1]):
        assert difference(images[number + 1 :], image).min() > DISTINCT, number


def border(images: np.ndarray) -> np.ndarray:
    """All border pixels of images, (..., pixels)."""
    rim = np.ones((64, 64), dtype=bool)
    rim[1:-1, 1:-1] = False
    return images[..., rim]


@pytest.mark.parametrize(("name", "plain"), [("cars3d", 255), ("faces3d", 0)])
def test_nothing_is_cut_off(name, plain, gallery):
    case = CASES[name]
    turns = [traversal(case, base, f) * 255 for base in case.bases for f in case.continuous]
    for images in [gallery[name], *turns]:
        assert (border(images) == plain).all()
        assert (np.abs(images.astype(float) - plain) > 20).any(axis=(1, 2, 3)).all()


def test_toys_and_their_shadows_are_not_cut_off(gallery):
    """The table is as bright along the whole border, under every lamp."""
    turns = [toy(n, a, e) for n in (2, 35) for a in range(18) for e in (0, 8)]
    for images in [gallery["smallnorb"], *turns]:
        rim = border(images)
        assert (rim.max(axis=-1) == rim.min(axis=-1)).all()
        assert rim.min() > 190


@EACH
def test_rendering_twice_gives_the_same_bytes(case):
    values = case.bases[0]
    first = case.image(*values).copy()
    for cached in (toy, scene, cars3d.model, faces3d.model, smallnorb.models):
        cached.cache_clear()
    assert case.image(*values).tobytes() == first.tobytes()


SMALL = {"smallnorb": (1, 2, 9, 3, 6), "cars3d": (2, 3, 4), "faces3d": (2, 3, 2, 11)}


@pytest.mark.parametrize("name", CASES)
def test_blocks_are_the_grid_in_row_major_order(name, monkeypatch):
    """On a grid cut short; the factors that a view is shared by keep all of their values."""
    case = CASES[name]
    grid = replace(case.module.GRID, sizes=SMALL[name])
    monkeypatch.setattr(case.module, "GRID", grid)
    images = np.concatenate(list(case.module.render()))
    channels = 3 if name == "cars3d" else 1
    assert (images.shape, images.dtype) == ((grid.images, channels, 64, 64), np.uint8)
    for row in range(0, grid.images, 7):
        assert (images[row] == case.image(*grid.values_at(np.array([row]))[0])).all(), row


def test_every_value_of_every_factor_has_its_setting():
    sizes = smallnorb.GRID.sizes
    settings = (smallnorb.ELEVATIONS, smallnorb.AZIMUTHS, smallnorb.LAMPS)
    assert (len(smallnorb.models()), *map(len, settings)) == (sizes[0] * sizes[1], *sizes[2:])
    assert (len(cars3d.ELEVATIONS), len(cars3d.AZIMUTHS)) == cars3d.GRID.sizes[:2]
    settings = (faces3d.AZIMUTHS, faces3d.ELEVATIONS, faces3d.LAMPS)
    assert tuple(map(len, settings)) == faces3d.GRID.sizes[1:]


@EACH
def test_it_says_that_it_is_a_twin(case):
    assert case.module.SOURCE.startswith("procedural twin of ")
