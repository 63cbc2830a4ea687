"""Fully connected network of disentanglement_lib, the same layers as beta-TCVAE's for dSprites.

Encoder: 1200, 1200 ReLU, heads. Decoder: 1200, 1200, 1200 tanh, linear logits.
`width` scales the hidden layers; 1 is the papers'.
"""

from math import prod

from torch import nn

from latents.models.vae import GaussianHeads


def encoder(image_shape: tuple[int, ...], latents: int, width: float) -> nn.Module:
    """Return the encoder: images -> posterior mean and log-variance."""
    hidden = _hidden(width)
    return nn.Sequential(
        nn.Flatten(),
        nn.Linear(prod(image_shape), hidden),
        nn.ReLU(inplace=True),
        nn.Linear(hidden, hidden),
        nn.ReLU(inplace=True),
        GaussianHeads(hidden, latents),
    )


def decoder(image_shape: tuple[int, ...], latents: int, width: float) -> nn.Module:
    """Return the decoder: codes -> logits of an image."""
    hidden = _hidden(width)
    return nn.Sequential(
        nn.Linear(latents, hidden),
        nn.Tanh(),
        nn.Linear(hidden, hidden),
        nn.Tanh(),
        nn.Linear(hidden, hidden),
        nn.Tanh(),
        nn.Linear(hidden, prod(image_shape)),
        nn.Unflatten(1, image_shape),
    )


def _hidden(width: float) -> int:
    return max(1, round(1200 * width))
