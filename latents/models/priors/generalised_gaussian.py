"""Generalised Gaussian prior: independent codes of density proportional to exp(-|z|^p / s)."""

from math import lgamma, log

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from latents.models.prior import Prior


class GeneralisedGaussian(Prior):
    """p = 1 is the Laplace density; p = 2 with s = 2 the standard normal one."""

    def __init__(self, *, latents: int, p: float, scale: float) -> None:
        super().__init__(latents)
        self.p = p
        self.scale = scale

    def log_prob(self, sample: Tensor) -> Tensor:
        """Return sum_j [ln p - ln 2 - ln(s)/p - ln Gamma(1/p) - |z_j|^p / s], (B, d) -> (B,)."""
        constant = log(self.p) - log(2) - log(self.scale) / self.p - lgamma(1 / self.p)
        return (constant - sample.abs() ** self.p / self.scale).sum(dim=1)

    def draw_codes(self, count: int, random: np.random.Generator) -> NDArray[np.float64]:
        """Draw |z|^p / s from Gamma(1/p, 1) and the sign uniformly."""
        size = (count, self.latents)
        radius = (self.scale * random.gamma(1 / self.p, size=size)) ** (1 / self.p)
        signs: NDArray[np.float64] = random.choice([-1.0, 1.0], size=size)
        return radius * signs
