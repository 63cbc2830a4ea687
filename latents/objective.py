"""What every training objective has in common."""

from importlib import import_module
from typing import Any

from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from latents.naming import class_name
from latents.vae import Pass


class Objective(nn.Module):
    """A loss to minimise, made of named terms.

    Subclasses take their strength and options as keyword arguments, and a `prior` that offers
    `kl(mean, logvar, sample) -> (B,)`.
    """

    def __init__(self, prior: Any) -> None:
        super().__init__()
        self.prior = prior

    def forward(self, seen: Pass) -> dict[str, Tensor]:
        """Scalar terms of one batch; `loss` is the one that is minimised."""
        raise NotImplementedError

    def mean_kl(self, seen: Pass) -> Tensor:
        kl: Tensor = self.prior.kl(seen.mean, seen.logvar, seen.sample)
        return kl.mean()


def reconstruction(seen: Pass) -> Tensor:
    """Bernoulli cross-entropy on logits, summed over pixels and channels, mean over the batch."""
    total = binary_cross_entropy_with_logits(seen.logits, seen.images, reduction="sum")
    return total / len(seen.images)


def build_objective(name: str, *, prior: str, options: dict[str, Any]) -> Objective:
    """The objective `latents.objectives.<name>` over the prior `latents.priors.<prior>`."""
    prior_class = getattr(import_module(f"latents.priors.{prior}"), class_name(prior))
    objective_class = getattr(import_module(f"latents.objectives.{name}"), class_name(name))
    objective: Objective = objective_class(prior=prior_class(), **options)
    return objective
