"""From a trained model to its representations."""

import numpy as np
import torch
from torch import Tensor

from latents.batches import ImageSource
from latents.objective import reconstruction
from latents.problem import Problem
from latents.representation import Representation
from latents.vae import VAE

BATCH = 500


@torch.no_grad()
def encode(
    vae: VAE, images: ImageSource, *, examples: int, images_seed: int, seed: int
) -> Representation:
    """Mean, variance and sampled representations of `examples` images.

    `images_seed` chooses the images as the reference does; `seed` draws the posterior samples,
    z = mu + sigma * epsilon, one per image.
    """
    rows, means, logvars = [], [], []
    vae.eval()
    for some, batch in images.draw_examples(images_seed, examples):
        encoded = vae.encode(batch)
        rows.append(some)
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
        factors=images.factors.factors(indices)[:, list(images.factors.latent)],
        indices=indices,
    )


@torch.no_grad()
def encode_rows(
    vae: VAE, images: ImageSource, rows: Tensor, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Posterior means and log-variances of one look at each of the given images, each (n, d)."""
    vae.eval()
    looks = (images.look(batch, generator) for batch in rows.to(images.device).split(BATCH))
    batches = [vae.encode(look) for look in looks]
    means, logvars = zip(*batches, strict=True)
    return torch.cat(means), torch.cat(logvars)


@torch.no_grad()
def reconstruction_of_rows(
    vae: VAE, images: ImageSource, rows: Tensor, generator: torch.Generator
) -> float:
    """E[log p(x|z)] in nats per image, summed over pixels, one posterior sample per image."""
    vae.eval()
    total = 0.0
    for batch in rows.to(images.device).split(BATCH):
        seen = vae(images.look(batch, generator), generator)
        total -= reconstruction(seen).item() * len(batch)
    return total / len(rows)
