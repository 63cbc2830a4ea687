"""color-, noisy- and scream-dSprites against their formulas and the reference's random calls."""

import numpy as np
import pytest
import torch

from latents.data.variation import build_variation
from latents.workflow.registry import registry

PICTURE = torch.rand(3, 90, 70, generator=torch.Generator().manual_seed(0))
NAMES = registry("data/variations")


def build(name: str):
    return build_variation(name, PICTURE if name == "scream" else None)


@pytest.fixture(scope="module")
def sprites() -> torch.Tensor:
    return (torch.rand(200, 1, 64, 64, generator=torch.Generator().manual_seed(1)) > 0.8).float()


def augmented(name: str, sprites: torch.Tensor, seed: int) -> torch.Tensor:
    variation = build(name)
    generator = torch.Generator().manual_seed(seed)
    return variation.apply(sprites, variation.draw(len(sprites), generator))


@pytest.mark.parametrize("name", NAMES)
def test_images_are_in_range_and_follow_their_seed(name, sprites):
    images = augmented(name, sprites, 0)
    assert images.shape == (200, 3, 64, 64)
    assert images.min() >= 0
    assert images.max() <= 1
    assert torch.equal(images, augmented(name, sprites, 0))
    assert not torch.equal(images, augmented(name, sprites, 1))


def test_a_tint_is_one_colour_per_image_on_black(sprites):
    images = augmented("tint", sprites, 0)
    assert (images[(sprites == 0).expand_as(images)] == 0).all()
    colours = images.amax(dim=(2, 3))
    assert torch.equal(images, colours[:, :, None, None] * sprites)
    assert colours.min() >= 0.5
    assert colours.mean() == pytest.approx(0.75, abs=0.02)
    assert colours.std() == pytest.approx(0.5 / 12**0.5, abs=0.01)


def test_noise_is_uniform_off_the_sprite_and_hidden_on_it(sprites):
    images = augmented("noise", sprites, 0)
    assert (images[(sprites == 1).expand_as(images)] == 1).all()
    noise = images[(sprites == 0).expand_as(images)]
    assert noise.mean() == pytest.approx(0.5, abs=0.001)
    assert noise.var() == pytest.approx(1 / 12, abs=0.001)
    assert not torch.equal(images[:, 0], images[:, 1])


def test_a_crop_is_tinted_and_negative_on_the_sprite(sprites):
    variation = build("scream")
    drawn = variation.draw(len(sprites), torch.Generator().manual_seed(0))
    images = variation.apply(sprites, drawn)
    for i in range(20):
        row, column = drawn[i, :2].long().tolist()
        crop = PICTURE[:, row : row + 64, column : column + 64]
        background = (crop + drawn[i, 2:, None, None]) / 2
        expected = torch.where(sprites[i] == 1, 1 - background, background)
        torch.testing.assert_close(images[i], expected, atol=1e-6, rtol=0)


def test_crops_leave_out_the_last_place_as_the_reference_does():
    variation = build("scream")
    for drawn in (
        variation.draw(5000, torch.Generator().manual_seed(0)),
        variation.draw_as_reference(5000, np.random.RandomState(0)),
    ):
        assert drawn[:, 0].unique().tolist() == list(range(90 - 64))
        assert drawn[:, 1].unique().tolist() == list(range(70 - 64))
        assert drawn[:, 2:].mean() == pytest.approx(0.5, abs=0.01)


def test_the_reference_draws_colours_per_image():
    drawn = build("tint").draw_as_reference(5, np.random.RandomState(3)).numpy()
    expected = np.random.RandomState(3).uniform(0.5, 1, (5, 1, 1, 3))
    assert drawn == pytest.approx(expected.reshape(5, 3), abs=1e-7)


def test_the_reference_draws_noise_with_channels_last():
    drawn = build("noise").draw_as_reference(2, np.random.RandomState(3)).numpy()
    expected = np.random.RandomState(3).uniform(0, 1, (2, 64, 64, 3))
    assert drawn.transpose(0, 2, 3, 1) == pytest.approx(expected, abs=1e-7)


def test_the_reference_draws_crop_and_tint_image_by_image():
    drawn = build("scream").draw_as_reference(4, np.random.RandomState(3)).numpy()
    random = np.random.RandomState(3)
    for found in drawn:
        assert found[0] == random.randint(0, 90 - 64)
        assert found[1] == random.randint(0, 70 - 64)
        assert found[2:] == pytest.approx(random.uniform(0, 1, size=3), abs=1e-7)
