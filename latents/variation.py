"""What makes every look at an image another one: tints, noise and crops, drawn anew each time."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module

import numpy as np
import torch
from torch import Tensor

from latents.naming import class_name


class Variation(ABC):
    """Three-channel images made of binary sprites and random draws.

    `draw` takes the draws from a generator on the sprites' device; `draw_as_reference` makes the
    random calls of disentanglement_lib, on the NumPy stream that has just chosen the factors.
    Both return the draws of each sprite, which `apply` turns into an image.
    """

    CHANNELS = 3
    label: str  # for sources: what is laid over or behind the sprites

    @abstractmethod
    def draw(self, count: int, generator: torch.Generator) -> Tensor:
        """(count, …), each on its own."""

    @abstractmethod
    def draw_as_reference(self, count: int, random: np.random.RandomState) -> Tensor:
        """(count, …) like `draw`."""

    @abstractmethod
    def apply(self, sprites: Tensor, drawn: Tensor) -> Tensor:
        """(B, 1, H, W) in {0, 1} -> (B, 3, H, W) in [0, 1]."""


def build_variation(name: str, background: Tensor | None) -> Variation:
    """The variation of `latents.variations.<name>`; some need a picture, (3, height, width)."""
    module = import_module(f"latents.variations.{name}")
    kind: Callable[..., Variation] = getattr(module, class_name(name))
    return kind() if background is None else kind(background)
