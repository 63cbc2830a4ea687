"""Convolutional network of unsupervised_study_v1 (Locatello et al. 2019), for 64 x 64 images.

Encoder: conv 32 (4x4), 32 (4x4), 64 (2x2), 64 (2x2), all stride 2, ReLU; dense 256 ReLU; heads.
Decoder: dense 256, dense 1024, ReLU; deconv 64, 32, 32, C (4x4, stride 2), linear logits.
`width` scales every hidden channel and dense count; 1 is the paper's.
TensorFlow's "same" padding is padding 1 for the 4x4 kernels and 0 for the 2x2 ones.
"""

from torch import nn

from latents.models.layers import LastDeconvolution
from latents.models.vae import GaussianHeads

SMALLEST_MAP = 4  # a 64 x 64 image is 4 x 4 after four strides of two


def encoder(image_shape: tuple[int, ...], latents: int, width: float) -> nn.Module:
    """Return the encoder: images -> posterior mean and log-variance."""
    narrow, wide, dense = _widths(width)
    return nn.Sequential(
        nn.Conv2d(image_shape[0], narrow, 4, stride=2, padding=1),
        nn.ReLU(inplace=True),
        nn.Conv2d(narrow, narrow, 4, stride=2, padding=1),
        nn.ReLU(inplace=True),
        nn.Conv2d(narrow, wide, 2, stride=2),
        nn.ReLU(inplace=True),
        nn.Conv2d(wide, wide, 2, stride=2),
        nn.ReLU(inplace=True),
        nn.Flatten(),
        nn.Linear(wide * SMALLEST_MAP**2, dense),
        nn.ReLU(inplace=True),
        GaussianHeads(dense, latents),
    )


def decoder(image_shape: tuple[int, ...], latents: int, width: float) -> nn.Module:
    """Return the decoder: codes -> logits of an image."""
    narrow, wide, dense = _widths(width)
    return nn.Sequential(
        nn.Linear(latents, dense),
        nn.ReLU(inplace=True),
        nn.Linear(dense, wide * SMALLEST_MAP**2),
        nn.ReLU(inplace=True),
        nn.Unflatten(1, (wide, SMALLEST_MAP, SMALLEST_MAP)),
        nn.ConvTranspose2d(wide, wide, 4, stride=2, padding=1),
        nn.ReLU(inplace=True),
        nn.ConvTranspose2d(wide, narrow, 4, stride=2, padding=1),
        nn.ReLU(inplace=True),
        nn.ConvTranspose2d(narrow, narrow, 4, stride=2, padding=1),
        nn.ReLU(inplace=True),
        LastDeconvolution(narrow, image_shape[0]),
    )


def _widths(width: float) -> tuple[int, int, int]:
    narrow, wide, dense = (max(1, round(width * n)) for n in (32, 64, 256))
    return narrow, wide, dense
