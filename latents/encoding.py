"""From a trained model to its representations."""

import numpy as np
import torch
from torch import Tensor

from latents.batches import PackedImages
from latents.factors import FactorGrid
from latents.objective import reconstruction
from latents.problem import Problem
from latents.representation import Representation
from latents.vae import VAE

BATCH = 500


def encode(
    vae: VAE, images: PackedImages, grid: FactorGrid, *, examples: int, images_seed: int, seed: int
) -> Representation:
    """Mean, variance and sampled representations of `examples` images.

    `images_seed` chooses the images as the reference does; `seed` draws the posterior samples,
    z = mu + sigma * epsilon, one per image.
    """
    factors = grid.draw_in_chunks(images_seed, examples)
    indices = grid.rows(factors)
    encoded = encode_rows(vae, images, torch.from_numpy(indices))
    mean, logvar = (tensor.cpu().numpy() for tensor in encoded)
    if not (np.isfinite(mean).all() and np.isfinite(np.exp(logvar)).all()):
        raise Problem("the model's representation is not finite: its training has diverged")
    noise = np.random.RandomState(seed).standard_normal(mean.shape).astype(np.float32)
    return Representation(
        mean=mean,
        variance=np.exp(logvar),
        sampled=mean + np.exp(logvar / 2) * noise,
        factors=factors[:, list(grid.latent)],
        indices=indices,
    )


@torch.no_grad()
def encode_rows(vae: VAE, images: PackedImages, rows: Tensor) -> tuple[Tensor, Tensor]:
    """Posterior means and log-variances of the given images, each (n, d)."""
    vae.eval()
    batches = [vae.encode(images(batch)) for batch in rows.to(images.bits.device).split(BATCH)]
    means, logvars = zip(*batches, strict=True)
    return torch.cat(means), torch.cat(logvars)


@torch.no_grad()
def reconstruction_of_rows(
    vae: VAE, images: PackedImages, rows: Tensor, generator: torch.Generator
) -> float:
    """E[log p(x|z)] in nats per image, summed over pixels, one posterior sample per image."""
    vae.eval()
    total = 0.0
    for batch in rows.to(images.bits.device).split(BATCH):
        seen = vae(images(batch), generator)
        total -= reconstruction(seen).item() * len(batch)
    return total / len(rows)
