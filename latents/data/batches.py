"""Images on the training device, stored as bits or bytes and decoded a batch at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from latents.data.factors import Factors, chunks
from latents.data.images import ImageSet, read_images
from latents.data.variation import Variation, build_variation
from latents.runtime.errors import Problem

EVALUATED_AT_ONCE = 32  # portions of the reference: batches of 512 images


class StoredImages:
    """Images in memory at one bit or byte a value (dSprites: 377 MB instead of 12 GB)."""

    def __init__(self, about: ImageSet, stored: NDArray[np.uint8], device: torch.device) -> None:
        self.about = about
        self.stored = torch.from_numpy(stored).to(device)  # (N, bytes per image) uint8
        bits = (np.arange(256)[:, None] >> np.arange(7, -1, -1)) & 1
        self.pixels_of_byte = torch.from_numpy(bits.astype(np.float32)).to(device)  # (256, 8)

    @property
    def device(self) -> torch.device:
        return self.stored.device

    def __call__(self, rows: Tensor) -> Tensor:
        """Return float images in [0, 1] of the given rows, (B,) -> (B, C, H, W)."""
        chosen = self.stored.index_select(0, rows)
        if self.about.binary:
            pixels = self.pixels_of_byte.index_select(0, chosen.flatten().int())
        else:
            pixels = chosen.float().div_(255)
        return pixels.view(len(rows), *self.about.image_shape)


@dataclass(frozen=True)
class ImageSource:
    """A dataset as training and evaluation read it: stored images and random augmentation."""

    images: StoredImages
    variation: Variation | None = None
    background: str = ""  # description of the variation's picture

    @property
    def factors(self) -> Factors:
        return self.images.about.factors

    @property
    def device(self) -> torch.device:
        return self.images.device

    @property
    def image_shape(self) -> tuple[int, ...]:
        channels, *size = self.images.about.image_shape
        return (self.variation.CHANNELS if self.variation else channels, *size)

    @property
    def source(self) -> str:
        """Return a description of what the images really are."""
        over = [self.variation.label] if self.variation else []
        behind = [self.background] if self.background else []
        return " + ".join([self.images.about.source, *over, *behind])

    def read(self, rows: Tensor, generator: torch.Generator) -> Tensor:
        """Return the images of the given rows, with random augmentation drawn from `generator`."""
        images = self.images(rows)
        if self.variation is None:
            return images
        return self.variation.apply(images, self.variation.draw(len(rows), generator))

    def draw_batches(
        self,
        random: np.random.RandomState,
        generator: torch.Generator,
        *,
        count: int,
        size: int,
        order: str,
    ) -> Iterator[Tensor]:
        """Yield `count` training batches; `random` chooses images uniformly with replacement.

        `order` says where random augmentation is drawn: `device` from `generator`, `reference` from
        `random`, after the factors of each batch.
        """
        if order == "reference" and self.variation:
            for _ in range(count):
                yield self._draw_as_reference(random, [size])[1]
        else:
            drawn = [self.factors.draw_rows(random, size) for _ in range(count)]
            for rows in torch.from_numpy(np.stack(drawn)).to(self.device):
                yield self.read(rows, generator)

    def draw_examples(self, seed: int, count: int) -> Iterator[tuple[NDArray[np.int64], Tensor]]:
        """Yield (rows, images) of `count` evaluation images, as the reference draws them."""
        random = np.random.RandomState(seed)
        portions = list(chunks(count))
        for start in range(0, len(portions), EVALUATED_AT_ONCE):
            yield self._draw_as_reference(random, portions[start : start + EVALUATED_AT_ONCE])

    def _draw_as_reference(
        self, random: np.random.RandomState, portions: list[int]
    ) -> tuple[NDArray[np.int64], Tensor]:
        """Draw the factors and then the augmentation of each portion from the same stream."""
        rows, drawn = [], []
        for portion in portions:
            rows.append(self.factors.draw_rows(random, portion))
            if self.variation:
                drawn.append(self.variation.draw_as_reference(portion, random))
        chosen = np.concatenate(rows)
        images = self.images(torch.from_numpy(chosen).to(self.device))
        if self.variation:
            images = self.variation.apply(images, torch.cat(drawn).to(self.device))
        return chosen, images


def open_source(
    images: Path, device: torch.device, *, variation: str | None, background: Path | None
) -> ImageSource:
    """Open a prepared image file with its random augmentation and its background picture."""
    stored = StoredImages(*read_images(images), device)
    if variation is None:
        return ImageSource(stored)
    if not stored.about.binary:
        raise Problem(f"{images}: the variation {variation} is for binary images")
    if background is None:
        return ImageSource(stored, build_variation(variation, None))
    about, pixels = read_images(background)
    picture = StoredImages(about, pixels, device)(torch.zeros(1, dtype=torch.int64, device=device))
    return ImageSource(stored, build_variation(variation, picture[0]), about.source)
