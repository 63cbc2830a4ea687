"""Log-densities shared by objectives and priors."""

from math import log, pi

import torch
from torch import Tensor


def log_gaussian(z: Tensor, mean: Tensor, logvar: Tensor) -> Tensor:
    """Return log N(z; mean, exp(logvar)) elementwise, with broadcasting."""
    return -0.5 * (log(2 * pi) + logvar + (z - mean) ** 2 * torch.exp(-logvar))


def log_posterior(mean: Tensor, logvar: Tensor, sample: Tensor) -> Tensor:
    """Return log q(z|x) of each image's own sample, (B, d) -> (B,)."""
    return log_gaussian(sample, mean, logvar).sum(dim=1)
