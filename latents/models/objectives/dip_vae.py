"""DIP-VAE I and II (Kumar et al. 2018): a penalty on codes whose covariance is not the identity."""

from typing import Literal

import torch
from torch import Tensor

from latents.models.objective import Objective, RunFacts, reconstruction
from latents.models.prior import Prior
from latents.models.vae import ForwardPass


class DipVae(Objective):
    """reconstruction + KL + lambda_od * sum_{i != j} C_ij^2 + lambda_d * sum_i (C_ii - 1)^2.

    C is the batch covariance of the posterior means (variant `i`) or of the sampled codes,
    Cov[mu] + E[diag(sigma^2)] (variant `ii`); lambda_d = `diagonal_ratio` * lambda_od.
    """

    def __init__(
        self,
        *,
        prior: Prior,
        facts: RunFacts,
        lambda_od: float,
        variant: Literal["i", "ii"],
        diagonal_ratio: float,
    ) -> None:
        super().__init__(prior, facts)
        self.lambda_od = lambda_od
        self.lambda_d = diagonal_ratio * lambda_od
        self.adds_posterior_variance = variant == "ii"

    def forward(self, batch: ForwardPass, step: int) -> dict[str, Tensor]:
        reconstructed, kl = reconstruction(batch), self.mean_kl(batch)
        covariance = batch_covariance(batch.mean)  # (d, d)
        if self.adds_posterior_variance:
            covariance = covariance + torch.diag(torch.exp(batch.logvar).mean(dim=0))
        diagonal = torch.diagonal(covariance)
        off_diagonal = (covariance**2).sum() - (diagonal**2).sum()
        on_diagonal = ((diagonal - 1) ** 2).sum()
        penalty = self.lambda_od * off_diagonal + self.lambda_d * on_diagonal
        loss = reconstructed + kl + penalty
        return {"loss": loss, "reconstruction": reconstructed, "kl": kl, "penalty": penalty}


def batch_covariance(codes: Tensor) -> Tensor:
    """Return E[c c^T] - E[c] E[c]^T over the batch, divided by B (not B - 1), (B, d) -> (d, d)."""
    centre = codes.mean(dim=0)
    return codes.T @ codes / len(codes) - torch.outer(centre, centre)
