"""noisy-dSprites: white sprites on uniform noise (Locatello et al. 2019)."""

import numpy as np
import torch
from torch import Tensor

from latents.data.variation import Variation

NEEDS_PICTURE = False
SIDE = 64


class Noise(Variation):
    """x = min(sprite + u, 1) with u ~ U[0, 1] per pixel and channel."""

    label = "random pixel noise"

    def draw(self, count: int, generator: torch.Generator) -> Tensor:
        shape = (count, self.CHANNELS, SIDE, SIDE)
        return torch.rand(shape, generator=generator, device=generator.device)

    def draw_as_reference(self, count: int, random: np.random.RandomState) -> Tensor:
        """Return draws in the reference's order, where channels come last."""
        drawn = random.uniform(0, 1, size=(count, SIDE, SIDE, self.CHANNELS))
        return torch.from_numpy(drawn).permute(0, 3, 1, 2).float()

    def apply(self, sprites: Tensor, drawn: Tensor) -> Tensor:
        return torch.maximum(sprites, drawn)
