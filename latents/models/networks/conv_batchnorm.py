"""Convolutional network with batch normalisation of beta-TCVAE (Chen et al. 2018), 64 x 64 images.

Encoder: conv 32, 32, 64, 64 (4x4, stride 2), conv 512 (4x4 to one pixel), each with batch
normalisation and ReLU; heads. Decoder: the mirror, a 1x1 deconv to 512, then 64 (4x4), 64, 32, 32
and C (4x4, stride 2), linear logits. `width` scales every hidden channel count; 1 is the paper's.
The published code calls its second head log sigma; here it is log sigma^2, as everywhere else.
"""

import itertools

from torch import nn

from latents.models.layers import LastDeconvolution
from latents.models.vae import GaussianHeads


def encoder(image_shape: tuple[int, ...], latents: int, width: float) -> nn.Module:
    """Return the encoder: images -> posterior mean and log-variance."""
    narrow, wide, dense = _widths(width)
    layers: list[nn.Module] = []
    channels = [image_shape[0], narrow, narrow, wide, wide]
    for before, after in itertools.pairwise(channels):
        layers += [
            nn.Conv2d(before, after, 4, stride=2, padding=1),
            nn.BatchNorm2d(after),
            nn.ReLU(inplace=True),
        ]
    layers += [
        nn.Conv2d(wide, dense, 4),
        nn.BatchNorm2d(dense),
        nn.ReLU(inplace=True),
        nn.Flatten(),
    ]
    return nn.Sequential(*layers, GaussianHeads(dense, latents))


def decoder(image_shape: tuple[int, ...], latents: int, width: float) -> nn.Module:
    """Return the decoder: codes -> logits of an image."""
    narrow, wide, dense = _widths(width)
    layers: list[nn.Module] = [nn.Unflatten(1, (latents, 1, 1))]
    layers += [nn.ConvTranspose2d(latents, dense, 1), nn.BatchNorm2d(dense), nn.ReLU(inplace=True)]
    layers += [nn.ConvTranspose2d(dense, wide, 4), nn.BatchNorm2d(wide), nn.ReLU(inplace=True)]
    channels = [wide, wide, narrow, narrow]
    for before, after in itertools.pairwise(channels):
        layers += [nn.ConvTranspose2d(before, after, 4, stride=2, padding=1)]
        layers += [nn.BatchNorm2d(after), nn.ReLU(inplace=True)]
    return nn.Sequential(*layers, LastDeconvolution(narrow, image_shape[0]))


def _widths(width: float) -> tuple[int, int, int]:
    narrow, wide, dense = (max(1, round(width * n)) for n in (32, 64, 512))
    return narrow, wide, dense
