"""The variational autoencoder: encoder, decoder, and the tensors of a forward pass."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from latents.runtime.plugins import load


@dataclass(frozen=True)
class ForwardPass:
    """The tensors of one batch that objectives use."""

    images: Tensor  # (B, C, H, W) in [0, 1]
    logits: Tensor  # (B, C, H, W)
    mean: Tensor  # (B, d)
    logvar: Tensor  # (B, d), log of the posterior variance
    sample: Tensor  # (B, d), mean + exp(logvar / 2) * noise


class VAE(nn.Module):
    """VAE with Gaussian posteriors and Bernoulli logits, for any encoder and decoder."""

    def __init__(self, encoder: nn.Module, decoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    def encode(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """Return posterior mean and log-variance, each (B, d)."""
        mean, logvar = self.encoder(images)
        return mean, logvar

    def forward(self, images: Tensor, generator: torch.Generator) -> ForwardPass:
        mean, logvar = self.encode(images)
        noise = torch.randn(mean.shape, generator=generator, device=mean.device)
        sample = mean + torch.exp(logvar / 2) * noise
        return ForwardPass(images, self.decoder(sample), mean, logvar, sample)


class GaussianHeads(nn.Module):
    """Two linear heads on shared features: posterior mean and log-variance."""

    def __init__(self, features: int, latents: int) -> None:
        super().__init__()
        self.mean = nn.Linear(features, latents)
        self.logvar = nn.Linear(features, latents)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        return self.mean(features), self.logvar(features)


def build_vae(
    network: str,
    *,
    image_shape: tuple[int, ...],
    latents: int,
    width: float,
    initialisation: str,
    memory_layout: str = "channels_last",
) -> VAE:
    """Return the VAE of `latents.models.networks.<network>` with newly drawn weights.

    `memory_layout`, `channels_last` or `contiguous`, changes the speed and the last bits.
    """
    module = load("models/networks", network)
    vae = VAE(
        module.encoder(image_shape, latents, width), module.decoder(image_shape, latents, width)
    )
    initialise(vae, initialisation)
    if memory_layout == "channels_last":
        vae.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return vae


def initialise(model: nn.Module, initialisation: str) -> None:
    """Initialise weights: `glorot_uniform` with zero biases as in TensorFlow 1, or as `torch` does.

    PyTorch's own are Kaiming-uniform weights and uniform biases.
    """
    if initialisation == "torch":
        return
    for layer in model.modules():
        if isinstance(layer, nn.Linear | nn.Conv2d | nn.ConvTranspose2d):
            nn.init.xavier_uniform_(layer.weight)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
