"""Codes of a trained model: seeded, sampled around the mean, with their likelihood."""

import numpy as np
import pytest
import torch

from latents.data.batches import ImageSource
from latents.encoding.representations import encode, reconstruction_of_rows
from tests.unit.models.small_training import GRID, bars, begin


@pytest.fixture(scope="module")
def images() -> ImageSource:
    return bars()


def test_encoding_is_seeded_and_samples_around_the_mean(images):
    training = begin()
    made = [
        encode(training.vae, images, examples=3000, images_seed=1, seed=seed) for seed in (5, 5, 6)
    ]
    assert (made[0].sampled == made[1].sampled).all()
    assert (made[0].mean == made[2].mean).all()
    assert (made[0].sampled != made[2].sampled).any()
    noise = (made[0].sampled - made[0].mean) / np.sqrt(made[0].variance)
    assert noise.mean() == pytest.approx(0, abs=0.03)
    assert noise.std() == pytest.approx(1, abs=0.03)
    assert (made[0].indices == GRID.rows(made[0].factors)).all()


def test_likelihood_is_that_of_one_sample_per_image(images):
    """An encoder of tiny variance leaves no noise: E[log p(x|z)] is then a plain sum."""
    training = begin("beta_vae")
    with torch.no_grad():
        training.vae.encoder[-1].logvar.bias.fill_(-60)
        training.vae.encoder[-1].logvar.weight.zero_()
    rows = torch.arange(GRID.images)
    found = reconstruction_of_rows(training.vae, images, rows, torch.Generator().manual_seed(0))
    pictures = images.images(rows)
    with torch.no_grad():
        logits = training.vae.decoder(training.vae.encode(pictures)[0])
    density = torch.distributions.Bernoulli(logits=logits).log_prob(pictures)
    assert found == pytest.approx(density.sum().item() / len(rows), rel=1e-4)
