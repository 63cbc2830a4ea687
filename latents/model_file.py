"""Trained models on disk: the VAE and its prior, with the description that rebuilds both."""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from latents.checkpoint import read_checkpoint, write_checkpoint
from latents.objective import build_prior
from latents.prior import Prior
from latents.vae import VAE, build_vae

PRIOR = "prior."


def write_model(path: Path, vae: VAE, prior: Prior, description: dict[str, Any]) -> None:
    """`description` holds at least `dataset`, `network` and `objective`, as the run had them."""
    learned = {f"{PRIOR}{name}": tensor for name, tensor in prior.state_dict().items()}
    write_checkpoint(path, {**vae.state_dict(), **learned}, description)


def read_model(
    path: Path, image_shape: tuple[int, ...], device: torch.device
) -> tuple[VAE, Prior, dict[str, Any]]:
    tensors, description = read_checkpoint(path)
    network = description["network"]
    vae = build_vae(image_shape=image_shape, **network).to(device)
    vae.load_state_dict({k: t for k, t in tensors.items() if not k.startswith(PRIOR)})
    prior = build_prior(description["objective"]["prior"], network["latents"]).to(device)
    prior.load_state_dict(_of_prior(tensors))
    return vae.eval(), prior, description


def _of_prior(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(PRIOR): t for name, t in tensors.items() if name.startswith(PRIOR)}
