"""color-dSprites: each sprite in a colour of its own, on black (Locatello et al. 2019)."""

import numpy as np
import torch
from torch import Tensor

from latents.data.variation import Variation

NEEDS_PICTURE = False
DARKEST = 0.5


class Tint(Variation):
    """x = sprite * c with c ~ U[0.5, 1] per image and channel."""

    label = "random colours"

    def draw(self, count: int, generator: torch.Generator) -> Tensor:
        uniform = torch.rand(count, self.CHANNELS, generator=generator, device=generator.device)
        return DARKEST + (1 - DARKEST) * uniform

    def draw_as_reference(self, count: int, random: np.random.RandomState) -> Tensor:
        return torch.from_numpy(random.uniform(DARKEST, 1, size=(count, self.CHANNELS))).float()

    def apply(self, sprites: Tensor, drawn: Tensor) -> Tensor:
        return sprites * drawn[:, :, None, None]
