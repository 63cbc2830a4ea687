"""FactorVAE (Kim and Mnih 2018): a discriminator between codes and codes with permuted latents."""

import itertools
from typing import Any

import torch
from torch import Tensor, nn

from latents.models.objective import Objective, RunFacts, reconstruction
from latents.models.prior import Prior
from latents.models.vae import ForwardPass

HIDDEN = 1000
SLOPE = 0.2
CLIP = 1e-6
BETAS = (0.5, 0.9)


class FactorVae(Objective):
    """reconstruction + KL + gamma * E[logit_0(z) - logit_1(z)], class 0 being true codes.

    The discriminator learns on the same batch, after the model, to distinguish z from z with each
    latent permuted across the batch. It has `layers` hidden layers: 6 in disentanglement_lib, 5 in
    ISA-VAE. In the reference both updates advance the step counter, so its 300,000 steps are
    150,000 updates: `double_step_counter`.
    """

    def __init__(
        self,
        *,
        prior: Prior,
        facts: RunFacts,
        gamma: float,
        layers: int,
        discriminator_rate: float,
        double_step_counter: bool,
    ) -> None:
        super().__init__(prior, facts)
        self.gamma = gamma
        self.steps_per_update = 2 if double_step_counter else 1
        self.discriminator = discriminator(facts.latents, layers)
        self.discriminator_rate = discriminator_rate
        self.optimizer: torch.optim.Optimizer | None = None

    def forward(self, batch: ForwardPass, step: int) -> dict[str, Tensor]:
        reconstructed, kl = reconstruction(batch), self.mean_kl(batch)
        logits = self.discriminator(batch.sample)
        tc = (logits[:, 0] - logits[:, 1]).mean()
        loss = reconstructed + kl + self.gamma * tc
        return {"loss": loss, "reconstruction": reconstructed, "kl": kl, "tc": tc}

    def own_optimizers(self) -> dict[str, torch.optim.Optimizer]:
        if self.optimizer is None:  # created once the weights are on their device
            self.optimizer = torch.optim.Adam(
                self.discriminator.parameters(), lr=self.discriminator_rate, betas=BETAS, fused=True
            )
        return {"discriminator": self.optimizer}

    def after_update(self, batch: ForwardPass, generator: torch.Generator) -> dict[str, Tensor]:
        optimizer = self.own_optimizers()["discriminator"]
        loss = self.discriminator_loss(batch.sample.detach(), generator)
        optimizer.zero_grad(set_to_none=True)  # the model's loss has left gradients there
        loss.backward()
        optimizer.step()
        return {"discriminator": loss}

    def discriminator_loss(self, codes: Tensor, generator: torch.Generator) -> Tensor:
        """Return -1/2 E[log p_0(z)] - 1/2 E[log p_1(permuted z)], with clipped probabilities."""
        true = torch.softmax(self.discriminator(codes), dim=1)[:, 0]
        false = torch.softmax(self.discriminator(permute(codes, generator)), dim=1)[:, 1]
        both = torch.cat([true, false]).clamp(CLIP, 1 - CLIP)
        return -both.log().mean()


def discriminator(latents: int, layers: int) -> nn.Sequential:
    widths = [latents] + [HIDDEN] * layers
    blocks: list[Any] = []
    for before, after in itertools.pairwise(widths):
        blocks += [nn.Linear(before, after), nn.LeakyReLU(SLOPE)]
    return nn.Sequential(*blocks, nn.Linear(widths[-1], 2))


def permute(codes: Tensor, generator: torch.Generator) -> Tensor:
    """Shuffle each latent across the batch by itself: the product of the marginals, (B, d)."""
    keys = torch.rand(codes.shape, generator=generator, device=codes.device)
    return codes.gather(0, keys.argsort(dim=0))
