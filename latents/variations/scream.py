"""scream-dSprites: sprites as negatives in random crops of a painting (Locatello et al. 2019)."""

import numpy as np
import torch
from torch import Tensor

from latents.variation import Variation

SIDE = 64


class Scream(Variation):
    """b = (crop + t) / 2 with t ~ U[0, 1]^3 per image; x = 1 - b on the sprite, b elsewhere.

    Draws are (count, 5): row and column of the crop, and the three channels of t.
    """

    label = "random crops and tints"

    def __init__(self, background: Tensor) -> None:
        half = background / 2
        # Every crop as a view, (rows, columns, 3, 64, 64): indexing it copies the chosen ones only.
        self.crops = half.unfold(1, SIDE, 1).unfold(2, SIDE, 1).permute(1, 2, 0, 3, 4)
        height, width = background.shape[1:]
        self.places = height - SIDE, width - SIDE  # the reference leaves out the last one

    def draw(self, count: int, generator: torch.Generator) -> Tensor:
        uniform = torch.rand(count, 2 + self.CHANNELS, generator=generator, device=generator.device)
        for axis, places in enumerate(self.places):
            scaled = uniform[:, axis] * places
            uniform[:, axis] = scaled.floor().clamp(max=places - 1)  # rounding may reach `places`
        return uniform

    def draw_as_reference(self, count: int, random: np.random.RandomState) -> Tensor:
        drawn = [
            (*(random.randint(0, places) for places in self.places), *random.uniform(size=3))
            for _ in range(count)
        ]
        return torch.tensor(drawn, dtype=torch.float32)

    def apply(self, sprites: Tensor, drawn: Tensor) -> Tensor:
        row, column = drawn[:, 0].long(), drawn[:, 1].long()
        background = self.crops[row, column].add_(drawn[:, 2:, None, None] / 2)
        # b where the sprite is 0, 1 - b where it is 1: s + b (1 - 2 s)
        return torch.addcmul(sprites, background, 1 - 2 * sprites)
