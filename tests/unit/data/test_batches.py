"""Stored images, what is drawn from them, and that a file gives back what was put into it."""

from pathlib import Path

import h5py
import numpy as np
import pytest
import torch

from latents.data.batches import ImageSource, StoredImages, open_source
from latents.data.factors import FactorGrid, FactorTable
from latents.data.images import ImageSet, read_images, write_images
from latents.data.variation import build_variation
from latents.runtime.errors import Problem
from latents.runtime.record import digest

CPU = torch.device("cpu")
GRID = FactorGrid(("shape", "x"), (4, 10), (0, 1))
RANDOM = np.random.RandomState(0)
SPRITES = RANDOM.randint(2, size=(40, 64, 64)).astype(np.uint8)
BITS = np.packbits(SPRITES.reshape(40, -1), axis=1)
BYTES = RANDOM.randint(256, size=(40, 3, 64, 64)).astype(np.uint8)
BINARY = ImageSet("sprites", (1, 64, 64), GRID, binary=True)
COLOUR = ImageSet("pictures", (3, 64, 64), GRID)


def source(variation: str | None = None) -> ImageSource:
    stored = StoredImages(BINARY, BITS, CPU)
    return ImageSource(stored, build_variation(variation, None) if variation else None)


def batches(images: ImageSource, order: str = "device", count: int = 3) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    random = np.random.RandomState(2)
    return list(images.draw_batches(random, generator, count=count, size=8, order=order))


def test_bits_and_bytes_come_back_as_numbers_between_0_and_1():
    rows = torch.tensor([5, 0, 39])
    assert (StoredImages(BINARY, BITS, CPU)(rows)[:, 0].numpy() == SPRITES[rows]).all()
    found = StoredImages(COLOUR, BYTES.reshape(40, -1), CPU)(rows).numpy()
    assert found == pytest.approx(BYTES[rows] / 255, abs=1e-7)


@pytest.mark.parametrize("order", ["device", "reference"])
def test_batches_hold_the_images_that_the_stream_chooses(order):
    random = np.random.RandomState(2)
    for batch in batches(source(), order):
        rows = GRID.rows(GRID.draw_values(random, 8))
        assert (batch[:, 0].numpy() == SPRITES[rows]).all()


def test_in_the_reference_order_a_batchs_colours_follow_its_factors():
    random = np.random.RandomState(2)
    for batch in batches(source("tint"), "reference"):
        rows = GRID.rows(GRID.draw_values(random, 8))
        colours = random.uniform(0.5, 1, (8, 3, 1, 1))
        assert batch.numpy() == pytest.approx(SPRITES[rows][:, None] * colours, abs=1e-6)


def test_in_the_device_order_colours_leave_the_stream_of_factors_alone():
    plain, coloured = batches(source()), batches(source("tint"))
    for a, b in zip(plain, coloured, strict=True):
        assert torch.equal((a > 0).expand_as(b), b > 0)
    assert not torch.equal(coloured[0], batches(source("tint"), "reference")[0])


@pytest.mark.parametrize("variation", [None, "tint", "noise"])
def test_examples_are_those_of_the_reference(variation):
    """Sixteen at a time, each portion's factors before what varies, whatever is encoded at once."""
    data = source(variation)
    found = list(data.draw_examples(7, 1000))
    rows = np.concatenate([part for part, _ in found])
    images = torch.cat([batch for _, batch in found])
    random = np.random.RandomState(7)
    for start in range(0, 1000, 16):
        count = min(16, 1000 - start)
        expected = GRID.rows(GRID.draw_values(random, count))
        assert (rows[start : start + count] == expected).all()
        sprites = torch.from_numpy(SPRITES[expected]).float()[:, None]
        if data.variation:
            drawn = data.variation.draw_as_reference(count, random)
            sprites = data.variation.apply(sprites, drawn)
        assert torch.equal(images[start : start + count], sprites)


def test_a_source_says_what_it_is():
    assert source().source == "sprites"
    assert source("noise").source == "sprites + random pixel noise"
    assert source().image_shape == (1, 64, 64)
    assert source("noise").image_shape == (3, 64, 64)


@pytest.mark.parametrize(("about", "pixels"), [(BINARY, BITS), (COLOUR, BYTES)])
def test_files_give_back_what_was_written(about, pixels, tmp_path: Path):
    for name in "ab":
        write_images(tmp_path / name, about, [pixels[:7], pixels[7:]])
    found, stored = read_images(tmp_path / "a")
    assert found == about
    assert (stored == pixels.reshape(40, -1)).all()
    assert digest(tmp_path / "a") == digest(tmp_path / "b")


def test_any_reader_of_hdf5_finds_the_pixels(tmp_path: Path):
    write_images(tmp_path / "a", COLOUR, [BYTES])
    with h5py.File(tmp_path / "a") as file:
        assert (file["pixels"][:] == BYTES.reshape(40, -1)).all()


def test_factors_that_fill_no_grid_are_kept(tmp_path: Path):
    values = RANDOM.randint(3, size=(40, 2))
    about = ImageSet("mine", (3, 64, 64), FactorTable(("a", "b"), (3, 3), (1,), values))
    write_images(tmp_path / "a", about, [BYTES])
    found = read_images(tmp_path / "a")[0].factors
    assert (found.values == values).all()
    assert found.latent_names == ("b",)


@pytest.mark.parametrize(("about", "pixels"), [(BINARY, BITS), (COLOUR, BYTES)])
def test_too_few_images_are_refused(about, pixels, tmp_path: Path):
    with pytest.raises(Problem, match="39 images, but 40 were expected"):
        write_images(tmp_path / "a", about, [pixels[:39]])


@pytest.mark.parametrize(("about", "pixels"), [(BINARY, BITS), (COLOUR, BYTES)])
def test_a_cut_file_is_refused(about, pixels, tmp_path: Path):
    write_images(tmp_path / "a", about, [pixels])
    whole = (tmp_path / "a").read_bytes()
    (tmp_path / "a").write_bytes(whole[:-100])
    with pytest.raises(Problem, match="not a readable image file"):
        read_images(tmp_path / "a")


def test_using_mapped_images_leaves_the_file_alone(tmp_path: Path):
    write_images(tmp_path / "a", COLOUR, [BYTES])
    before = digest(tmp_path / "a")
    images = open_source(tmp_path / "a", CPU, variation=None, background=None)
    images.images.stored[0] = 0
    assert digest(tmp_path / "a") == before


def test_a_variation_needs_binary_images(tmp_path: Path):
    write_images(tmp_path / "a", COLOUR, [BYTES])
    with pytest.raises(Problem, match="the variation tint is for binary images"):
        open_source(tmp_path / "a", CPU, variation="tint", background=None)


def test_a_background_is_named_in_the_source(tmp_path: Path):
    picture = ImageSet("background p.jpg", (3, 80, 70), FactorGrid(("picture",), (1,), ()))
    write_images(tmp_path / "p", picture, [np.zeros((1, 3, 80, 70), np.uint8)])
    write_images(tmp_path / "a", BINARY, [BITS])
    images = open_source(tmp_path / "a", CPU, variation="scream", background=tmp_path / "p")
    assert images.source == "sprites + random crops and tints + background p.jpg"
    assert images.read(torch.tensor([3]), torch.Generator()).shape == (1, 3, 64, 64)
