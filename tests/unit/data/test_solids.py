"""The renderer against closed forms: depths, normals, silhouettes, hiding, and light."""

import numpy as np
import pytest

from latents.data.rendering.lighting import (
    FRAME_FILL,
    Lamp,
    direction,
    fitted,
    from_above,
    shade,
    softened,
    tilt,
)
from latents.data.rendering.solids import (
    MIRROR,
    box,
    cylinder,
    dome,
    ellipsoid,
    limb,
    pair,
    prism,
    transformed,
)
from latents.data.rendering.views import CENTRES, SIDE, see

GREY = (0.5,)
PIXEL = (2 / SIDE) ** 2  # area
TURNS = [tilt(e) @ from_above(a) for e, a in [(90, 0), (25, 10), (-40, 200), (0, 45), (61, 333)]]
X, Y = np.meshgrid(CENTRES, -CENTRES)


def area(solids) -> float:
    return see(solids).covered.sum() * PIXEL


def test_depth_and_normals_of_an_ellipsoid_have_their_closed_form():
    centre, radii = np.array([0.1, -0.2, 0.3]), np.array([0.6, 0.4, 0.5])
    view = see([ellipsoid(tuple(centre), tuple(radii), GREY)])
    u, v = (X - centre[0]) / radii[0], (Y - centre[1]) / radii[1]
    inside = u**2 + v**2 < 1
    w = np.sqrt(1 - u[inside] ** 2 - v[inside] ** 2)
    normals = np.stack([u[inside], v[inside], w], axis=1) / radii
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    assert (view.covered == inside).all()
    assert view.depth[inside] == pytest.approx(centre[2] + radii[2] * w, abs=1e-12)
    assert view.normals[inside] == pytest.approx(normals, abs=1e-6)
    assert (view.depth[~inside] == -np.inf).all()


@pytest.mark.parametrize("turn", TURNS)
def test_a_turned_ellipsoid_has_its_surface_and_its_silhouette(turn):
    """Seen along the unit vector u the silhouette is pi sqrt(sum (u_i r_j r_k)^2)."""
    radii = np.array([0.8, 0.5, 0.3])
    view = see(transformed([ellipsoid((0, 0, 0), tuple(radii), GREY)], turn))
    seen = view.covered
    places = np.stack([X[seen], Y[seen], view.depth[seen]], axis=1) @ turn  # turned back
    assert ((places / radii) ** 2).sum(axis=1) == pytest.approx(1, abs=1e-9)
    along = turn[2] * np.prod(radii) / radii
    assert seen.sum() * PIXEL == pytest.approx(np.pi * np.linalg.norm(along), rel=0.01)


@pytest.mark.parametrize("turn", TURNS)
def test_the_silhouette_of_a_turned_box_is_the_sum_of_its_faces(turn):
    """Seen along u it is the sum of |u_i| times the area of the face across axis i."""
    half = np.array([38, 22, 13]) * 2 / SIDE  # its edges are between pixels where they can be
    faces = 4 * np.prod(half) / half
    found = area(transformed([box((0, 0, 0), tuple(half), GREY)], turn))
    assert found == pytest.approx(np.abs(turn[2]) @ faces, rel=0.015)


def test_the_faces_of_a_turned_box_have_its_axes_as_normals():
    turn = TURNS[1]
    view = see(transformed([box((0, 0, 0), (0.5, 0.4, 0.3), GREY)], turn))
    normals = np.unique(np.round(view.normals[view.covered], 5), axis=0)
    towards = turn.T * np.sign(turn[2])[:, None]
    assert np.sort(normals, axis=0) == pytest.approx(np.sort(towards, axis=0), abs=1e-4)


def test_a_cylinder_is_a_disc_from_its_end_and_a_rectangle_from_its_side():
    wheel = [cylinder((0, 0, 0), 0.6, 0.2, GREY)]
    from_its_end = tilt(0) @ from_above(90)
    assert area(transformed(wheel, from_its_end)) == pytest.approx(np.pi * 0.36, rel=0.01)
    assert area(wheel) == pytest.approx(1.2 * 0.4, rel=0.03)


def test_a_prism_has_its_outline_from_the_side_and_its_widths_from_the_front():
    outline = [(-0.7, -0.3), (0.5, -0.3), (0.2, 0.5), (-0.4, 0.5)]
    solid = [prism(outline, (0.6, 0.3), GREY)]
    assert area(transformed(solid, tilt(0) @ from_above(90))) == pytest.approx(0.72, rel=0.02)
    assert area(transformed(solid, tilt(0) @ from_above(0))) == pytest.approx(0.72, rel=0.02)


def test_a_dome_is_flat_below():
    solid = [dome((0, 0, 0), (0.6, 0.6, 0.4), GREY)]
    below = see(transformed(solid, tilt(-90) @ from_above(0)))
    assert np.abs(below.normals[below.covered] - [0, 0, 1]).max() < 1e-6
    assert area(transformed(solid, tilt(0))) == pytest.approx(np.pi * 0.6 * 0.4 / 2, rel=0.02)


def test_a_limb_reaches_half_its_radius_beyond_both_ends():
    solid = limb((-0.4, 0.1, 0.2), (0.3, 0.5, -0.2), 0.1, GREY)
    along = np.array([0.7, 0.4, -0.4])
    tip = along / 2 + 0.05 * along / np.linalg.norm(along)
    assert tip @ solid.quadric @ tip == pytest.approx(1)
    assert solid.centre == pytest.approx([-0.05, 0.3, 0])


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_nearer_solid_hides_the_farther_one(order):
    near, far = ellipsoid((0, 0, 0.5), (0.3, 0.3, 0.2), GREY), box((0, 0, 0), (0.6,) * 3, GREY)
    view = see([(near, far)[i] for i in order])
    inside = X**2 + Y**2 < 0.3**2 * (1 - 0.5**2)  # where the ellipsoid is above z = 0.6
    assert (view.part[inside] == order.index(0)).all()
    assert (view.part[view.covered & ~inside] == order.index(1)).all()


def test_a_pair_is_a_mirror_image():
    both = pair((0.2, 0.4, 0), (0.3, 0.2, 0.1), GREY)
    flipped = see(transformed(both[:1], MIRROR))
    assert (see(both[1:]).part == flipped.part).all()
    assert (see(both).covered == see(both).covered[::-1]).all()


def test_what_leaves_the_frame_is_cut_and_what_is_outside_is_not_seen():
    assert see([ellipsoid((0.9, 0, 0), (0.5, 0.5, 0.5), GREY)]).covered[:, -1].any()
    assert not see([ellipsoid((3, 0, 0), (0.5, 0.5, 0.5), GREY)]).covered.any()


def test_fitted_solids_fill_the_frame_and_no_more():
    solids = fitted([box((3, 1, 7), (2, 1, 0.5), GREY), limb((0, 0, 0), (5, 2, 9), 1, GREY)], TURNS)
    rim = np.maximum(np.abs(X), np.abs(Y))
    reached = max(rim[see(transformed(solids, turn)).covered].max() for turn in TURNS)
    assert FRAME_FILL - 4 / SIDE < reached < FRAME_FILL


def test_shading_follows_its_formula():
    """The pixel in the middle of a face that looks at the camera."""
    view = see([box((0, 0, 0), (0.5, 0.5, 0.5), GREY)])
    lamp = Lamp(np.array([0.6, 0, 0.8]), ambient=0.2, diffuse=0.5, gloss=0.3)
    image = shade(view, [GREY], [lamp], np.full((1, 1, 1, 1), 0.1))[0, 0]
    expected = 0.5 * (0.2 + 0.5 * 0.8) + 0.3 * np.sqrt((1 + 0.8) / 2) ** 16
    assert image[32, 32] == round(255 * expected)
    assert image[2, 2] == round(255 * 0.1)


def test_light_from_behind_leaves_the_ambient_term():
    view = see([ellipsoid((0, 0, 0), (0.5, 0.5, 0.5), GREY)])
    lamp = Lamp(np.array([0, 0, -0.999]), ambient=0.4, diffuse=0.6, gloss=0)
    assert shade(view, [GREY], [lamp], np.zeros((1, 1, 1, 1)))[0, 0, 32, 32] == 51


@pytest.mark.parametrize("axis", [0, 1])
def test_an_edge_pixel_is_the_mean_of_what_it_covers(axis):
    """A box over pixels 64, 65 and 66 of 128 covers pixel 32 of 64, and half of pixel 33."""
    centre, half = [(3 / SIDE, 0, 0), (0, -3 / SIDE, 0)], [(3 / SIDE, 1, 1), (1, 3 / SIDE, 1)]
    view = see([box(centre[axis], half[axis], (1.0,))])
    lamp = Lamp(np.array([0, 0, 1.0]), ambient=1, diffuse=0, gloss=0)
    image = shade(view, [(1.0,)], [lamp], np.zeros((1, 1, 1, 1)))[0, 0]
    line = image[20] if axis == 0 else image[:, 20]
    assert line[31:35].tolist() == [0, 255, 128, 0]


def test_softening_keeps_normals_unit_and_flat_faces_flat():
    view = see(transformed([box((0, 0, 0), (0.6, 0.6, 0.6), GREY)], TURNS[1]))
    soft = softened(view)
    lengths = np.linalg.norm(soft.normals[view.covered], axis=1)
    assert lengths == pytest.approx(1, abs=1e-5)
    change = np.abs(soft.normals - view.normals).max(axis=-1)[view.covered]
    assert np.median(change) < 1e-3  # away from the edges
    assert change.max() > 0.1  # at the edges


def test_lamps_and_cameras_share_their_axes():
    """A lamp behind the viewer is at the viewer's direction; azimuth 90 is from the right."""
    assert tilt(30) @ direction(0, 30) == pytest.approx([0, 0, 1], abs=1e-12)
    assert tilt(0) @ direction(90, 0) == pytest.approx([1, 0, 0], abs=1e-12)
    assert tilt(0) @ from_above(0) @ [1, 0, 0] == pytest.approx([0, 0, 1], abs=1e-12)
