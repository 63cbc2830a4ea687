"""Trained models on disk: the VAE and its prior, with the description that rebuilds both."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latents.data.batches import ImageSource
from latents.models.checkpoint import read_checkpoint, write_checkpoint
from latents.models.objective import build_prior
from latents.models.prior import Prior
from latents.models.vae import VAE, build_vae

PRIOR = "prior."


@dataclass(frozen=True)
class TrainedModel:
    """A trained model on its device."""

    vae: VAE
    prior: Prior
    description: dict[str, Any]  # of the run that made the model


def write_model(path: Path, vae: VAE, prior: Prior, description: dict[str, Any]) -> None:
    """Write a model; `description` holds at least the `network` and the `objective` of the run."""
    learned = {f"{PRIOR}{name}": tensor for name, tensor in prior.state_dict().items()}
    write_checkpoint(path, {**vae.state_dict(), **learned}, description)


def read_model(path: Path, images: ImageSource) -> TrainedModel:
    """Return the model, on the device of the images that it was trained on."""
    tensors, description = read_checkpoint(path)
    network, device = description["network"], images.device
    vae = build_vae(image_shape=images.image_shape, **network).to(device)
    vae.load_state_dict({k: t for k, t in tensors.items() if not k.startswith(PRIOR)})
    prior = build_prior(description["objective"]["prior"], network["latents"]).to(device)
    learned = {k.removeprefix(PRIOR): t for k, t in tensors.items() if k.startswith(PRIOR)}
    prior.load_state_dict(learned)
    return TrainedModel(vae.eval(), prior, description)
