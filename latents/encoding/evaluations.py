"""Evaluation of a trained model: encodes every image that its scores need."""

import numpy as np
import torch

from latents.data.batches import ImageSource
from latents.encoding.representations import encode_rows
from latents.evaluation.evaluation_draws import (
    Codes,
    Encoder,
    Plan,
    Rows,
    Sizes,
    draw_plan,
    encode_plan,
)
from latents.evaluation.evaluation_sets import Evaluation
from latents.models.vae import VAE


def evaluate(
    vae: VAE, images: ImageSource, sizes: Sizes, *, images_seed: int, seed: int
) -> dict[str, Evaluation]:
    """Return the evaluations of the mean and of the sampled representation.

    `images_seed` draws the images, the same for all models; `seed` draws the posterior samples.
    """
    plan = draw_plan(images.factors, sizes, images_seed)
    encoder = table_encoder(vae, images, plan) if images.variation is None else None
    encoder = encoder or fresh_encoder(vae, images)
    return encode_plan(plan, encoder, images.factors, seed)


def table_encoder(vae: VAE, images: ImageSource, plan: Plan) -> Encoder:
    """Encode each distinct image once, and return an encoder that looks the codes up."""
    distinct = plan.rows()
    encoded = encode_rows(vae, images, torch.from_numpy(distinct), torch.Generator(images.device))
    means, logvars = (codes.cpu().numpy() for codes in encoded)

    def look_up(rows: Rows, random: np.random.RandomState) -> dict[str, Codes]:
        place = np.searchsorted(distinct, rows)
        return sample(means[place], logvars[place], random)

    return look_up


def fresh_encoder(vae: VAE, images: ImageSource) -> Encoder:
    """Return an encoder that encodes an image whenever it is drawn, with random augmentation."""

    def encode(rows: Rows, random: np.random.RandomState) -> dict[str, Codes]:
        generator = torch.Generator(images.device).manual_seed(int(random.randint(2**31)))
        encoded = encode_rows(vae, images, torch.from_numpy(rows), generator)
        means, logvars = (codes.cpu().numpy() for codes in encoded)
        return sample(means, logvars, random)

    return encode


def sample(means: Codes, logvars: Codes, random: np.random.RandomState) -> dict[str, Codes]:
    """Return the mean representation, and the sampled one with noise of its own."""
    noise = random.standard_normal(means.shape).astype(np.float32)
    return {"mean": means, "sampled": (means + np.exp(logvars / 2) * noise).astype(np.float32)}
