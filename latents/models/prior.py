"""Base class of priors over the codes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from latents.models.densities import log_posterior


class Prior(nn.Module):
    """A density over codes of `latents` dimensions; options are keyword arguments of subclasses."""

    def __init__(self, latents: int) -> None:
        super().__init__()
        self.latents = latents

    def log_prob(self, sample: Tensor) -> Tensor:
        """Return log p(z), (B, d) -> (B,)."""
        raise NotImplementedError

    def draw_codes(self, count: int, random: np.random.Generator) -> NDArray[np.float64]:
        """Return exact independent draws, (count, d)."""
        raise NotImplementedError

    def kl(self, mean: Tensor, logvar: Tensor, sample: Tensor) -> Tensor:
        """Return KL(q(z|x) || p(z)) per image, estimated from one sample: log q(z|x) - log p(z)."""
        return log_posterior(mean, logvar, sample) - self.log_prob(sample)

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Return the learned parameters with their own learning rates; none by default."""
        return []
