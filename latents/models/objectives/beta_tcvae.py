"""beta-TCVAE (Chen et al. 2018): beta weights the total correlation of the aggregate posterior.

KL = [log q(z|x) - log q(z)] + [log q(z) - sum_j log q(z_j)] + [sum_j log q(z_j) - log p(z)], the
index-code mutual information, the total correlation and the dimension-wise term. Weighting the
middle one by beta is the same as adding (beta - 1) times it to the KL.
"""

from math import log
from typing import Literal

import torch
from torch import Tensor

from latents.models.densities import log_gaussian
from latents.models.objective import Objective, RunFacts, reconstruction
from latents.models.prior import Prior
from latents.models.vae import ForwardPass


class BetaTcvae(Objective):
    """reconstruction + KL + (beta - 1) * TC. Over an Lp-nested prior this is ISA-TCVAE.

    `sampling` estimates q(z) from the batch: `weighted` (MWS, the paper's) or `stratified` (MSS).
    The term `tc` has the constants of its estimator, the loss leaves out those of `weighted` as
    the reference does; they have no gradient. Neither is a good estimate of the true TC.
    """

    def __init__(
        self,
        *,
        prior: Prior,
        facts: RunFacts,
        beta: float,
        sampling: Literal["weighted", "stratified"],
    ) -> None:
        super().__init__(prior, facts)
        self.beta = beta
        self.stratified = sampling == "stratified"

    def forward(self, batch: ForwardPass, step: int) -> dict[str, Tensor]:
        reconstructed, kl = reconstruction(batch), self.mean_kl(batch)
        joint, marginals = log_aggregates(batch, self.log_weights(batch.mean))
        tc = (joint - marginals.sum(dim=1)).mean()
        dropped = 0.0 if self.stratified else self.constant(len(batch.mean))
        loss = reconstructed + kl + (self.beta - 1) * (tc - dropped)
        return {"loss": loss, "reconstruction": reconstructed, "kl": kl, "tc": tc}

    def log_weights(self, mean: Tensor) -> Tensor:
        """Return the log-weight of each image in the estimate of q at each sample, (B, B)."""
        if self.stratified:
            return stratified_log_weights(mean, self.facts.images)
        size = len(mean)
        return mean.new_full((size, size), -log(size * self.facts.images))

    def constant(self, size: int) -> float:
        """Return what the weights of `weighted` add to the TC: (d - 1) ln(N M)."""
        return (self.facts.latents - 1) * log(size * self.facts.images)


def log_aggregates(batch: ForwardPass, log_weights: Tensor) -> tuple[Tensor, Tensor]:
    """Return estimates of log q(z_i), (B,), and log q(z_ij), (B, d), at the batch's own samples.

    Both are log-sums over the images k of the batch of w_ik q(z_i|x_k), with the posterior of
    all latents or of latent j alone.
    """
    pairs = log_gaussian(
        batch.sample[:, None, :], batch.mean[None], batch.logvar[None]
    )  # (B, B, d)
    joint = torch.logsumexp(pairs.sum(dim=2) + log_weights, dim=1)
    marginals = torch.logsumexp(pairs + log_weights[:, :, None], dim=1)
    return joint, marginals


def stratified_log_weights(mean: Tensor, images: int) -> Tensor:
    """Return log-weights (B, B) of minibatch-stratified sampling; every row sums to one.

    The image itself stands for 1 of N, all others for the remaining N - 1: with M = B - 1 the
    diagonal has 1/N, one other entry per row (N - M) / (N M), the rest 1/M. (The published code
    puts the 1/N into the first column instead of the diagonal.)
    """
    size, others = len(mean), len(mean) - 1
    weights = mean.new_full((size, size), 1 / others)
    rows = torch.arange(size, device=mean.device)
    weights[rows, rows] = 1 / images
    weights[rows, (rows + 1) % size] = (images - others) / (images * others)
    return weights.log()
