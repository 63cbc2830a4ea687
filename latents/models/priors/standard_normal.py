"""The standard normal prior N(0, I)."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from latents.models.densities import log_gaussian
from latents.models.prior import Prior


class StandardNormal(Prior):
    """Independent codes of unit variance."""

    def __init__(self, *, latents: int) -> None:
        super().__init__(latents)

    def log_prob(self, sample: Tensor) -> Tensor:
        zero = torch.zeros((), dtype=sample.dtype, device=sample.device)
        return log_gaussian(sample, zero, zero).sum(dim=1)

    def draw_codes(self, count: int, random: np.random.Generator) -> NDArray[np.float64]:
        return random.standard_normal((count, self.latents))

    def kl(self, mean: Tensor, logvar: Tensor, sample: Tensor) -> Tensor:
        """Return 1/2 sum_j (mu_j^2 + sigma_j^2 - log sigma_j^2 - 1), (B, d) -> (B,)."""
        return 0.5 * (mean**2 + torch.exp(logvar) - logvar - 1).sum(dim=1)
