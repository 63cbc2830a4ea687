"""Base class of training objectives."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from latents.models.prior import Prior
from latents.models.vae import ForwardPass
from latents.runtime.plugins import load_class


@dataclass(frozen=True)
class RunFacts:
    """Facts about the run that objectives may need."""

    latents: int
    steps: int  # of the whole budget
    images: int  # in the dataset


class Objective(nn.Module):
    """A loss to minimise, made of named terms.

    Subclasses take `prior`, `facts`, their strength and their options as keyword arguments. Most
    have only a loss; an adversarial one also has a network and an optimiser of its own.
    """

    steps_per_update = 1  # by how much the step counter advances at every update

    def __init__(self, prior: Prior, facts: RunFacts) -> None:
        super().__init__()
        self.prior = prior
        self.facts = facts

    def forward(self, batch: ForwardPass, step: int) -> dict[str, Tensor]:
        """Return the scalar terms of one batch; `loss` is the one that is minimised."""
        raise NotImplementedError

    def own_optimizers(self) -> dict[str, torch.optim.Optimizer]:
        """Return the optimisers of networks that do not minimise `loss`."""
        return {}

    def after_update(self, batch: ForwardPass, generator: torch.Generator) -> dict[str, Tensor]:
        """Train those networks on the batch that updated the model; return their losses."""
        return {}

    def mean_kl(self, batch: ForwardPass) -> Tensor:
        """Return the batch's mean KL to the prior."""
        return self.prior.kl(batch.mean, batch.logvar, batch.sample).mean()


def reconstruction(batch: ForwardPass) -> Tensor:
    """Return the Bernoulli cross-entropy, summed over pixels and channels, mean over the batch."""
    total = binary_cross_entropy_with_logits(batch.logits, batch.images, reduction="sum")
    return total / len(batch.images)


def build_objective(
    name: str, *, options: dict[str, Any], prior: dict[str, Any], facts: RunFacts
) -> Objective:
    """Return the objective `name` over its prior, with their options."""
    built_prior = build_prior(prior, facts.latents)
    build = load_class("models/objectives", name)
    objective: Objective = build(prior=built_prior, facts=facts, **options)
    return objective


def build_prior(prior: dict[str, Any], latents: int) -> Prior:
    """Return a prior with its options."""
    built: Prior = load_class("models/priors", prior["name"])(latents=latents, **prior["options"])
    return built
