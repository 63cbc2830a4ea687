"""The ELBO taken apart (Chen et al. 2018): where the KL of a trained model goes.

E KL(q(z|x) || p(z)) = I(x; z) + TC(z) + dimension-wise term, over a dataset of N images with the
aggregate posterior q(z) = mean of all N posteriors. All entropies are in nats and estimated from
samples of q(z), against every one of the N posteriors: no minibatch enters.
"""

from dataclasses import dataclass
from math import log

import torch
from torch import Tensor

from latents.densities import log_gaussian
from latents.prior import Prior

ELEMENTS_AT_ONCE = 10_000_000  # of the (samples, images, latents) array: 40 MB


@dataclass(frozen=True)
class Decomposition:
    """In nats per image. With a prior that does not factorise, `dimension_wise` is no KL."""

    index_code_information: float
    total_correlation: float
    dimension_wise: float
    kl: float  # E[log q(z|x) - log p(z)] over the same samples: the sum of the three


def decompose(
    mean: Tensor, logvar: Tensor, prior: Prior, *, samples: int, generator: torch.Generator
) -> Decomposition:
    """Of posteriors (N, d): `samples` images are drawn, and one code from each one's posterior."""
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
    """log q(z_i), (S,), and log q(z_ij), (S, d), under the average of all N posteriors."""
    joint, marginals = [], []
    for some in codes.split(max(1, ELEMENTS_AT_ONCE // mean.numel())):
        pairs = log_gaussian(some[:, None, :], mean[None], logvar[None])  # (S', N, d)
        joint.append(torch.logsumexp(pairs.sum(dim=2), dim=1))
        marginals.append(torch.logsumexp(pairs, dim=1))
    return torch.cat(joint) - log(len(mean)), torch.cat(marginals) - log(len(mean))
