"""From a trained model to its representations."""

import numpy as np
import torch

from latents.batches import PackedImages
from latents.factors import FactorGrid
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
    mean, logvar = _encode_rows(vae, images, torch.from_numpy(indices))
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
def _encode_rows(
    vae: VAE, images: PackedImages, rows: torch.Tensor
) -> tuple[np.ndarray, np.ndarray]:
    vae.eval()
    batches = [vae.encode(images(batch)) for batch in rows.to(images.bits.device).split(BATCH)]
    means, logvars = zip(*batches, strict=True)
    return torch.cat(means).cpu().numpy(), torch.cat(logvars).cpu().numpy()
