"""Representations that a trained model gives of images."""

import numpy as np
import torch
from torch import Tensor

from latents.data.batches import ImageSource
from latents.evaluation.representation import Representation
from latents.models.objective import reconstruction
from latents.models.vae import VAE
from latents.runtime.errors import Problem

BATCH = 500


@torch.no_grad()
def encode(
    vae: VAE, images: ImageSource, *, examples: int, images_seed: int, seed: int
) -> Representation:
    """Return the mean, variance and sampled representations of `examples` images.

    `images_seed` chooses the images as the reference does; `seed` draws the posterior samples,
    z = mu + sigma * epsilon, one per image.
    """
    rows, means, logvars = [], [], []
    vae.eval()
    for drawn, batch in images.draw_examples(images_seed, examples):
        encoded = vae.encode(batch)
        rows.append(drawn)
        means.append(encoded[0])
        logvars.append(encoded[1])
    mean, logvar = (torch.cat(parts).cpu().numpy() for parts in (means, logvars))
    indices = np.concatenate(rows)
    if not (np.isfinite(mean).all() and np.isfinite(np.exp(logvar)).all()):
        raise Problem("the model's representation is not finite: its training has diverged")
    noise = np.random.RandomState(seed).standard_normal(mean.shape).astype(np.float32)
    return Representation(
        mean=mean,
        variance=np.exp(logvar),
        sampled=mean + np.exp(logvar / 2) * noise,
        factors=images.factors.values_at(indices)[:, list(images.factors.latent)],
        indices=indices,
    )


@torch.no_grad()
def encode_rows(
    vae: VAE, images: ImageSource, rows: Tensor, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Return posterior means and log-variances of the given images, each (n, d)."""
    vae.eval()
    batches = (images.read(batch, generator) for batch in rows.to(images.device).split(BATCH))
    encoded = [vae.encode(batch) for batch in batches]
    means, logvars = zip(*encoded, strict=True)
    return torch.cat(means), torch.cat(logvars)


@torch.no_grad()
def reconstruction_of_rows(
    vae: VAE, images: ImageSource, rows: Tensor, generator: torch.Generator
) -> float:
    """Return E[log p(x|z)] in nats per image, summed over pixels, from one sample per image."""
    vae.eval()
    total = 0.0
    for batch in rows.to(images.device).split(BATCH):
        output = vae(images.read(batch, generator), generator)
        total -= reconstruction(output).item() * len(batch)
    return total / len(rows)
