"""The training loop: seeded, deterministic, resumable, and the same for every objective."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

import numpy as np
import torch
from torch import Tensor

from latents.data.batches import ImageSource
from latents.models.objective import Objective
from latents.models.vae import VAE
from latents.runtime.errors import Problem

HISTORY_POINTS = 100  # rows of the loss history, whatever the number of steps
DIVERGED = 1e3  # a training that ends with this many times its first loss has learned nothing


@dataclass(frozen=True)
class Budget:
    """Length and speed of a training."""

    steps: int
    batch_size: int
    learning_rate: float
    adam_betas: tuple[float, float]
    adam_epsilon: float

    @property
    def interval(self) -> int:
        """Return the steps between two reports; the host waits for the device only then."""
        return max(1, ceil(self.steps / HISTORY_POINTS))


@dataclass
class Training:
    """Everything that changes while a model trains."""

    vae: VAE
    objective: Objective
    optimizer: torch.optim.Optimizer
    images_drawn: np.random.RandomState  # chooses the images of each batch
    noise: torch.Generator  # of posterior samples and random augmentation
    step: int = 0
    history: list[dict[str, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Hooks:
    """Functions called around the loop; none of them can change the training."""

    report: Callable[[Training], None]  # after every interval
    save_state: Callable[[Training], None]  # after every interval
    take_snapshot: Callable[[Training], None] | None = None  # after each step of `snapshots`
    snapshots: frozenset[int] = frozenset()


def start_training(vae: VAE, objective: Objective, budget: Budget, seed: int) -> Training:
    """Return a training at step 0.

    As in the reference, the model's seed starts a stream of seeds: the first one chooses the
    training images, the second is for evaluation, and the third is for the posterior samples.
    """
    device = next(vae.parameters()).device
    images_seed, _, noise_seed = np.random.RandomState(seed).randint(2**32, size=3).tolist()
    optimizer = torch.optim.Adam(
        [{"params": list(vae.parameters())}, *objective.prior.parameter_groups()],
        lr=budget.learning_rate,
        betas=budget.adam_betas,
        eps=budget.adam_epsilon,
        fused=True,
    )
    return Training(
        vae=vae,
        objective=objective,
        optimizer=optimizer,
        images_drawn=np.random.RandomState(images_seed),
        noise=torch.Generator(device).manual_seed(noise_seed),
    )


def train(
    training: Training,
    budget: Budget,
    images: ImageSource,
    hooks: Hooks,
    *,
    variation_order: str = "device",
) -> None:
    """Train to the end of the budget, from the step at which `training` is."""
    training.vae.train()
    while training.step < budget.steps:
        stride = training.objective.steps_per_update
        count = ceil(min(budget.interval, budget.steps - training.step) / stride)
        terms = []
        for batch in images.draw_batches(
            training.images_drawn,
            training.noise,
            count=count,
            size=budget.batch_size,
            order=variation_order,
        ):
            terms.append(optimise(training, batch))
            training.step += stride
            if hooks.take_snapshot and training.step in hooks.snapshots:
                hooks.take_snapshot(training)
        record_losses(training, terms)
        hooks.report(training)
        hooks.save_state(training)
    finite = all(bool(parameter.isfinite().all()) for parameter in training.vae.parameters())
    refuse_diverged(*(training.history[i]["loss"] for i in (0, -1)), finite=finite)


def refuse_diverged(first: float, last: float, *, finite: bool) -> None:
    """Raise a Problem if a training has ended without having learned anything."""
    if last > DIVERGED * abs(first):
        raise Problem(
            f"training diverged: its loss was {first:.6g} at first and ends at {last:.6g}"
        )
    if not finite:
        raise Problem("training diverged: at its end, weights are no longer finite")


def optimise(training: Training, images: Tensor) -> dict[str, Tensor]:
    """Take one step of gradient descent and return the loss terms without waiting for them."""
    batch = training.vae(images, training.noise)
    terms = training.objective(batch, training.step)
    training.optimizer.zero_grad(set_to_none=True)
    terms["loss"].backward()
    training.optimizer.step()
    terms |= training.objective.after_update(batch, training.noise)
    return {name: term.detach() for name, term in terms.items()}


def record_losses(training: Training, terms: list[dict[str, Tensor]]) -> None:
    """Add the interval's mean losses to the history; raise a Problem if a loss is not finite."""
    names = list(terms[0])
    values = torch.stack([torch.stack([step[name] for name in names]) for step in terms])
    values = values.double().cpu()  # (steps, terms): the only wait for the device
    diverged = ~values.isfinite().all(dim=1)
    if diverged.any():
        worst = int(diverged.nonzero()[0])
        stride = training.objective.steps_per_update
        step = training.step - (len(terms) - worst - 1) * stride
        shown = ", ".join(
            f"{name} {value:.6g}" for name, value in zip(names, values[worst].tolist(), strict=True)
        )
        raise Problem(f"training diverged at step {step}: {shown}; no checkpoint was written")
    means = dict(zip(names, values.mean(dim=0).tolist(), strict=True))
    training.history.append({"step": training.step, **means})
