"""Decomposition of the ELBO (Chen et al. 2018): the parts of a trained model's KL.

E KL(q(z|x) || p(z)) = I(x; z) + TC(z) + dimension-wise term, over a dataset of N images with the
aggregate posterior q(z) = mean of all N posteriors. All entropies are in nats and estimated from
samples of q(z) against all N posteriors, never against a minibatch.
"""

from dataclasses import dataclass
from math import log

import torch
from torch import Tensor

from latents.models.densities import log_gaussian
from latents.models.prior import Prior

ELEMENTS_AT_ONCE = 10_000_000  # of the (samples, images, latents) array: 40 MB in single precision


@dataclass(frozen=True)
class Decomposition:
    """Terms in nats per image; if the prior does not factorise, `dimension_wise` is not a KL."""

    index_code_information: float
    total_correlation: float
    dimension_wise: float
    kl: float  # E[log q(z|x) - log p(z)] over the same samples: the sum of the three


def decompose(
    mean: Tensor, logvar: Tensor, prior: Prior, *, samples: int, generator: torch.Generator
) -> Decomposition:
    """Decompose the KL of posteriors (N, d), from one code each of `samples` random images."""
    chosen = torch.randint(len(mean), (samples,), generator=generator, device=mean.device)
    noise = torch.randn(samples, mean.shape[1], generator=generator, device=mean.device)
    own_mean, own_logvar = mean[chosen], logvar[chosen]
    codes = own_mean + torch.exp(own_logvar / 2) * noise.to(mean)
    log_own = log_gaussian(codes, own_mean, own_logvar).sum(dim=1)
    log_joint, log_marginals = log_aggregate(codes, mean, logvar)
    log_prior = prior.log_prob(codes).detach()
    return Decomposition(
        index_code_information=(log_own - log_joint).mean().item(),
        total_correlation=(log_joint - log_marginals.sum(dim=1)).mean().item(),
        dimension_wise=(log_marginals.sum(dim=1) - log_prior).mean().item(),
        kl=(log_own - log_prior).mean().item(),
    )


def log_aggregate(codes: Tensor, mean: Tensor, logvar: Tensor) -> tuple[Tensor, Tensor]:
    """Return log q(z_i), (S,), and log q(z_ij), (S, d), under the mean of all N posteriors."""
    joint, marginals = [], []
    for chunk in codes.split(max(1, ELEMENTS_AT_ONCE // mean.numel())):
        pairs = log_gaussian(chunk[:, None, :], mean[None], logvar[None])  # (S', N, d)
        joint.append(torch.logsumexp(pairs.sum(dim=2), dim=1))
        marginals.append(torch.logsumexp(pairs, dim=1))
    return torch.cat(joint) - log(len(mean)), torch.cat(marginals) - log(len(mean))
