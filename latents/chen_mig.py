"""Mutual information gap by the exact mixture of all posteriors (Chen et al. 2018).

Against binned estimates it needs no bins and no uniform code; it takes sampled codes, and the
entropy of a factor is the logarithm of how many values it has.
"""

from math import log

import torch
from torch import Tensor

from latents.densities import log_gaussian

ELEMENTS_AT_ONCE = 10_000_000  # of the (samples, images, latents) array: 40 MB


def gaps(
    mean: Tensor, logvar: Tensor, factors: Tensor, *, samples: int, generator: torch.Generator
) -> Tensor:
    """Gap of each factor, (k,), from the posteriors (n, d) of n images; NaN if it never changes.

    I(z_j; v) = H(z_j) - mean over values of H(z_j | v), clamped at 0, over ln(number of values);
    the gap is between the two codes that tell most of the factor, and between 0 and 1 but for the
    noise of the estimate. Each entropy is estimated from
    `samples` codes, or as many as there are images, against every posterior of its images.
    """
    if mean.shape[1] < 2:
        return torch.full((factors.shape[1],), torch.nan)
    whole = entropies(mean, logvar, samples, generator)
    found = []
    for column in factors.T:
        values = column.unique()
        if len(values) < 2:
            found.append(torch.tensor(torch.nan, dtype=mean.dtype))
            continue
        inside = [column == value for value in values]
        known = [entropies(mean[rows], logvar[rows], samples, generator) for rows in inside]
        information = (whole - torch.stack(known).mean(dim=0)).clamp(min=0) / log(len(values))
        first, second = information.topk(2).values
        found.append(first - second)
    return torch.stack([gap.cpu() for gap in found])


def entropies(mean: Tensor, logvar: Tensor, samples: int, generator: torch.Generator) -> Tensor:
    """H(z_j) in nats of one posterior sample each of some of n images, (d,)."""
    count = min(samples, len(mean))
    chosen = torch.randperm(len(mean), generator=generator, device=mean.device)[:count]
    noise = torch.randn(count, mean.shape[1], generator=generator, device=mean.device)
    codes = mean[chosen] + torch.exp(logvar[chosen] / 2) * noise.to(mean)
    densities = [
        torch.logsumexp(log_gaussian(some[:, None, :], mean[None], logvar[None]), dim=1)
        for some in codes.split(max(1, ELEMENTS_AT_ONCE // mean.numel()))
    ]
    return log(len(mean)) - torch.cat(densities).mean(dim=0)
