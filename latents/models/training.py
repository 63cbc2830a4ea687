"""The training loop: seeded, deterministic, resumable, and the same for every objective."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from latents.data.batches import ImageSource
from latents.models.checkpoint import content_digest, read_checkpoint, write_checkpoint
from latents.models.objective import Objective
from latents.models.vae import VAE
from latents.runtime.atomic_files import replacing
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
    """Functions called around the loop; none of them can change the result."""

    report: Callable[[Training], None]  # after every interval
    save_state: Callable[[Training], None]  # after every interval
    save_snapshot: Callable[[Training], None]  # after each step of `snapshots`
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
            if training.step in hooks.snapshots:
                hooks.save_snapshot(training)
        record_losses(training, terms)
        hooks.report(training)
        hooks.save_state(training)
    first, last = (training.history[i]["loss"] for i in (0, -1))
    if last > DIVERGED * abs(first):
        raise Problem(
            f"training diverged: its loss was {first:.6g} at first and ends at {last:.6g}"
        )
    if not all(parameter.isfinite().all() for parameter in training.vae.parameters()):
        raise Problem(f"training diverged at step {training.step}: weights are no longer finite")


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


def write_state(path: Path, training: Training) -> None:
    """Write everything needed to resume exactly."""
    stream: Any = training.images_drawn.get_state(legacy=True)
    _, keys, position, *_ = stream
    names = list(training.history[0])
    rows = [list(row.values()) for row in training.history]
    tensors = {
        "images_drawn": torch.from_numpy(keys.astype(np.int64)),
        "noise": training.noise.get_state(),
        "history": torch.tensor(rows, dtype=torch.float64),
        **{f"vae/{name}": tensor for name, tensor in training.vae.state_dict().items()},
        **{f"objective/{name}": tensor for name, tensor in training.objective.state_dict().items()},
    }
    for owner, optimizer in optimizers(training).items():
        for index, moments in optimizer.state_dict()["state"].items():
            tensors |= {f"{owner}/{index}/{name}": tensor for name, tensor in moments.items()}
    description = {"step": training.step, "position": int(position), "history": names}
    description["digest"] = content_digest(tensors)
    with replacing(path) as temporary:
        write_checkpoint(temporary, tensors, description)


def read_state(path: Path, training: Training) -> None:
    """Bring a new training to where the state was written; it must be of the same run."""
    tensors, description = read_checkpoint(path)
    if content_digest(tensors) != description["digest"]:
        raise Problem(f"{path} is not what was written there")
    training.vae.load_state_dict(_with_prefix("vae/", tensors))
    training.objective.load_state_dict(_with_prefix("objective/", tensors))
    for owner, optimizer in optimizers(training).items():
        _restore(optimizer, _with_prefix(f"{owner}/", tensors))
    keys = tensors["images_drawn"].numpy().astype(np.uint32)
    training.images_drawn.set_state(("MT19937", keys, description["position"], 0, 0.0))
    training.noise.set_state(tensors["noise"])
    names, rows = description["history"], tensors["history"].tolist()
    training.history = [dict(zip(names, row, strict=True)) for row in rows]
    for row in training.history:
        row["step"] = int(row["step"])
    training.step = description["step"]


def optimizers(training: Training) -> dict[str, torch.optim.Optimizer]:
    """Return the model's optimiser and those of the objective's own networks, by name."""
    own = training.objective.own_optimizers()
    return {"optimizer": training.optimizer} | {f"optimizer of {k}": o for k, o in own.items()}


def _restore(optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    """Load moments in their parameters' memory layout, as the fused optimiser walks memory."""
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    moments: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        index, moment = name.split("/")
        restored = torch.empty_like(parameters[int(index)]).copy_(tensor) if tensor.ndim else tensor
        moments.setdefault(int(index), {})[moment] = restored
    optimizer.load_state_dict({**optimizer.state_dict(), "state": moments})


def _with_prefix(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name[len(prefix) :]: t for name, t in tensors.items() if name.startswith(prefix)}
