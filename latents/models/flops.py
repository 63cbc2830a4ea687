"""Cost of a network: arithmetic operations and weights, counted without computing anything."""

import json
from functools import cache
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

from latents.models.vae import VAE, build_vae
from latents.runtime.record import canonical

IMAGE = (1, 64, 64)  # ASSUME: colours cost nothing, as is nearly true of convolutions


def operations(network: dict[str, Any]) -> float:
    """Return the operations of one image through encoder and decoder."""
    return _count(canonical(network))[0]


def weights(network: dict[str, Any]) -> float:
    """Return the number of weights of encoder and decoder."""
    return _count(canonical(network))[1]


@cache
def _count(network: str) -> tuple[float, float]:
    with torch.device("meta"):  # shapes without numbers
        vae: VAE = build_vae(image_shape=IMAGE, **json.loads(network))
        with FlopCounterMode(display=False) as counter:
            vae.decoder(vae.encode(torch.empty(1, *IMAGE))[0])
    return counter.get_total_flops(), sum(weight.numel() for weight in vae.parameters())
