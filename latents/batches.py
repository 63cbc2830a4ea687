"""Images on the training device: kept as packed bits, unpacked a batch at a time."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


class PackedImages:
    """Binary images in device memory at one bit a pixel (dSprites: 377 MB instead of 12 GB)."""

    def __init__(
        self, bits: NDArray[np.uint8], image_shape: tuple[int, ...], device: torch.device
    ) -> None:
        self.bits = torch.from_numpy(bits).to(device)  # (N, pixels / 8) uint8
        self.image_shape = image_shape
        self.shifts = torch.arange(7, -1, -1, dtype=torch.uint8, device=device)

    def __call__(self, rows: Tensor) -> Tensor:
        """Float images in {0, 1} of the given rows, (B,) -> (B, C, H, W)."""
        packed = self.bits[rows].unsqueeze(-1)  # (B, bytes, 1)
        pixels = ((packed >> self.shifts) & 1).float()
        return pixels.view(len(rows), *self.image_shape)
