"""Random augmentation of images: tints, noise and crops, drawn whenever an image is read."""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from latents.runtime.plugins import load_class


class Variation(ABC):
    """A random augmentation that makes three-channel images of binary sprites.

    `draw` takes random numbers from a generator on the sprites' device; `draw_as_reference` makes
    the random calls of disentanglement_lib, on the NumPy stream that has just chosen the factors.
    Both return the draws of each sprite, which `apply` turns into an image.
    """

    CHANNELS = 3
    label: str  # for descriptions of the source

    @abstractmethod
    def draw(self, count: int, generator: torch.Generator) -> Tensor:
        """Return independent draws for `count` sprites, (count, …)."""

    @abstractmethod
    def draw_as_reference(self, count: int, random: np.random.RandomState) -> Tensor:
        """Return draws for `count` sprites, (count, …), by the reference's random calls."""

    @abstractmethod
    def apply(self, sprites: Tensor, drawn: Tensor) -> Tensor:
        """Return images (B, 3, H, W) in [0, 1] from sprites (B, 1, H, W) in {0, 1}."""


def build_variation(name: str, background: Tensor | None) -> Variation:
    """Return a variation by name; some need a background picture, (3, height, width)."""
    kind: Callable[..., Variation] = load_class("data/variations", name)
    return kind() if background is None else kind(background)
