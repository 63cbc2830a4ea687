"""What every training objective has in common."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from latents.naming import class_name
from latents.prior import Prior
from latents.vae import Pass


@dataclass(frozen=True)
class RunFacts:
    """What an objective may need to know of the run it serves."""

    latents: int
    steps: int  # of the whole budget
    images: int  # in the dataset


class Objective(nn.Module):
    """A loss to minimise, made of named terms.

    Subclasses take `prior`, `facts`, their strength and their options as keyword arguments. Most
    have only a loss; one with an adversary also owns what trains it.
    """

    steps_per_update = 1  # by how much the step counter advances at every update

    def __init__(self, prior: Prior, facts: RunFacts) -> None:
        super().__init__()
        self.prior = prior
        self.facts = facts

    def forward(self, seen: Pass, step: int) -> dict[str, Tensor]:
        """Scalar terms of one batch; `loss` is the one that is minimised."""
        raise NotImplementedError

    def own_optimizers(self) -> dict[str, torch.optim.Optimizer]:
        """Optimisers of networks that do not minimise `loss`."""
        return {}

    def after_update(self, seen: Pass, generator: torch.Generator) -> dict[str, Tensor]:
        """Train those networks on the batch that the model has just been updated on."""
        return {}

    def mean_kl(self, seen: Pass) -> Tensor:
        return self.prior.kl(seen.mean, seen.logvar, seen.sample).mean()


def reconstruction(seen: Pass) -> Tensor:
    """Bernoulli cross-entropy on logits, summed over pixels and channels, mean over the batch."""
    total = binary_cross_entropy_with_logits(seen.logits, seen.images, reduction="sum")
    return total / len(seen.images)


def build_objective(
    name: str, *, options: dict[str, Any], prior: dict[str, Any], facts: RunFacts
) -> Objective:
    """The objective `latents.objectives.<name>` over the prior `latents.priors.<prior's name>`."""
    over = build_prior(prior, facts.latents)
    objective: Objective = _class("objectives", name)(prior=over, facts=facts, **options)
    return objective


def build_prior(prior: dict[str, Any], latents: int) -> Prior:
    """The prior `latents.priors.<name>` with its options."""
    built: Prior = _class("priors", prior["name"])(latents=latents, **prior["options"])
    return built


def _class(folder: str, name: str) -> Any:
    return getattr(import_module(f"latents.{folder}.{name}"), class_name(name))
