"""scream-dSprites: sprites as negatives in random crops of a painting (Locatello et al. 2019)."""

import numpy as np
import torch
from torch import Tensor

from latents.data.variation import Variation

NEEDS_PICTURE = True
SIDE = 64


class Scream(Variation):
    """b = (crop + t) / 2 with t ~ U[0, 1]^3 per image; x = 1 - b on the sprite, b elsewhere.

    Draws are (count, 5): row and column of the crop, and the three channels of t.
    """

    label = "random crops and tints"

    def __init__(self, background: Tensor) -> None:
        channels, height, width = background.shape
        self.places = height - SIDE, width - SIDE  # the reference leaves out the last position
        self.width = width
        # Row i: the 64 values from value i of the picture on; a crop is 3 x 64 rows of this view.
        flat = (background / 2).flatten()
        self.strips = flat.as_strided((len(flat) - SIDE + 1, SIDE), (1, 1))
        rows = torch.arange(SIDE, device=flat.device) * width
        planes = torch.arange(channels, device=flat.device) * height * width
        self.first_crop = (planes[:, None] + rows).flatten()

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
        starts = (drawn[:, 0] * self.width + drawn[:, 1]).long()
        strips = self.strips.index_select(0, (starts[:, None] + self.first_crop).flatten())
        background = strips.view(len(drawn), self.CHANNELS, SIDE, SIDE)
        background += drawn[:, 2:, None, None] / 2
        return background.sub_(sprites).abs_()  # b where the sprite is 0, 1 - b where it is 1
