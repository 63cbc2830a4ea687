"""Re-rendered dSprites against real frames, the published pixel count, and its own geometry."""

import csv
import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from latents.data.images import read_images, write_images
from latents.data.twins import dsprites
from latents.runtime.record import digest
from tests.conftest import DATA

PUBLISHED_MEAN = 0.042494423521889584  # of the original file, over all pixels


@pytest.fixture(scope="module")
def bits() -> np.ndarray:
    return dsprites.render()


def unpack(bits: np.ndarray) -> np.ndarray:
    return np.unpackbits(bits, axis=1).reshape(-1, 64, 64).astype(bool)


def test_every_real_frame_matches_pixel_for_pixel(bits):
    """By the digests of the frames' pixels; the file says how they were taken."""
    lines = (DATA / "dsprites_frames.csv").read_text().splitlines()
    frames = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    names = dsprites.GRID.latent_names
    factors = [[0, *(int(frame[name]) for name in names)] for frame in frames]
    rendered = unpack(bits[dsprites.GRID.rows(np.array(factors))])
    digests = [hashlib.sha256(image.tobytes()).hexdigest() for image in rendered]
    assert len(frames) == 320
    assert [i for i, frame in enumerate(frames) if frame["sha256"] != digests[i]] == []


def test_lit_pixels_are_within_ten_of_the_published_total(bits):
    published = PUBLISHED_MEAN * dsprites.GRID.images * 64 * 64
    assert abs(int(np.bitwise_count(bits).sum()) - published) <= 10


def test_sprites_stay_off_the_border(bits):
    union = np.unpackbits(np.bitwise_or.reduce(bits, axis=0)).reshape(64, 64)
    lit = np.argwhere(union)
    assert lit.min() == 2
    assert lit.max() == 61


def test_first_and_last_orientation_coincide(bits):
    images = bits.reshape(3, 6, 40, 32, 32, 512)
    assert (images[:, :, 0] == images[:, :, -1]).mean() > 0.999


def test_x_moves_right_and_y_moves_down(bits):
    images = bits.reshape(3, 6, 40, 32, 32, 512)
    rows, columns = np.mgrid[:64, :64]
    for shape in range(3):
        left, right, low = (
            unpack(images[shape, 3, 7, x, y][None])[0] for x, y in [(3, 9), (28, 9), (3, 25)]
        )
        assert columns[right].mean() - columns[left].mean() == pytest.approx(25 * 32 / 31, abs=0.25)
        assert rows[low].mean() - rows[left].mean() == pytest.approx(16 * 32 / 31, abs=0.25)


def test_square_has_the_area_of_its_side(bits):
    images = bits.reshape(3, 6, 40, 32, 32, 512)
    areas = np.bitwise_count(images[0, :, 13]).sum(axis=-1).mean(axis=(1, 2))
    assert areas == pytest.approx((19.2 * np.linspace(0.5, 1, 6)) ** 2, rel=0.01)


def test_a_known_square_by_hand():
    """Scale 0 (side 9.6), no rotation, centred at 16 px: pixel centres 11.5 ... 20.5 are inside."""
    image = dsprites.render_sprite(dsprites.outline(0, 0, 0))[0, 0]
    expected = np.zeros((64, 64), dtype=np.uint8)
    expected[11:21, 11:21] = 1
    assert (np.unpackbits(image.astype(">u8").view(np.uint8)).reshape(64, 64) == expected).all()


def test_preparing_twice_gives_the_same_bytes(bits, tmp_path: Path, monkeypatch):
    """On the first shape, whose images are the first of all."""
    grid = replace(dsprites.GRID, sizes=(1, 1, *dsprites.GRID.sizes[2:]))
    monkeypatch.setattr(dsprites, "GRID", grid)
    for name in "a.h5", "b.h5":
        write_images(tmp_path / name, *dsprites.make_twin())
    assert digest(tmp_path / "a.h5") == digest(tmp_path / "b.h5")
    about, stored = read_images(tmp_path / "a.h5")
    assert (stored == bits[: grid.images]).all()
    assert about.source == "dSprites re-rendered"
    assert about.factors == grid
