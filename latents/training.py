"""The training loop: seeded, deterministic, resumable, and the same for every objective."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from latents.batches import ImageSource
from latents.checkpoint import content_digest, read_checkpoint, write_checkpoint
from latents.files import replacing
from latents.objective import Objective
from latents.problem import Problem
from latents.vae import VAE

HISTORY_POINTS = 100  # rows of the loss history, whatever the number of steps
DIVERGED = 1e3  # a training that ends with this many times its first loss has learned nothing


@dataclass(frozen=True)
class Budget:
    """How long and how fast to train."""

    steps: int
    batch_size: int
    learning_rate: float
    adam_betas: tuple[float, float]
    adam_epsilon: float

    @property
    def interval(self) -> int:
        """Steps between two looks at the loss; the host waits for the device only then."""
        return max(1, ceil(self.steps / HISTORY_POINTS))


@dataclass
class Training:
    """Everything that changes while a model trains."""

    vae: VAE
    objective: Objective
    optimizer: torch.optim.Optimizer
    images_drawn: np.random.RandomState  # which images each batch holds
    noise: torch.Generator  # the posterior samples, and what varies between looks at an image
    step: int = 0
    history: list[dict[str, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Hooks:
    """What happens around the loop; none of it can change the result."""

    report: Callable[[Training], None]  # after every interval
    save_state: Callable[[Training], None]  # after every interval
    save_snapshot: Callable[[Training], None]  # after each step of `snapshots`
    snapshots: frozenset[int] = frozenset()


def choose_device(name: str) -> torch.device:
    """`auto` is the GPU where there is one; anything else is taken at its word."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise Problem(f"device {name} was asked for, but this PyTorch sees no CUDA device")
    return torch.device(name)


def fix_rounding(threads: int) -> None:
    """The same numbers at every run: fixed thread count, deterministic kernels, no TF32."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    # Filling memory before it is overwritten costs time; nothing here reads it before that.
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    torch.backends.cudnn.benchmark = False
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False


def start_training(vae: VAE, objective: Objective, budget: Budget, seed: int) -> Training:
    """A training at step 0.

    As in the reference, the model's seed starts a stream of seeds, of which the first one chooses
    the training images (its second is for evaluation); the third is for the posterior samples.
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
    """Train to the end of the budget, from wherever `training` stands."""
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
        look_at_losses(training, terms)
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
    """One step of gradient descent; returns the loss terms without waiting for them."""
    seen = training.vae(images, training.noise)
    terms = training.objective(seen, training.step)
    training.optimizer.zero_grad(set_to_none=True)
    terms["loss"].backward()
    training.optimizer.step()
    terms |= training.objective.after_update(seen, training.noise)
    return {name: term.detach() for name, term in terms.items()}


def look_at_losses(training: Training, terms: list[dict[str, Tensor]]) -> None:
    """Average the interval into the history, or stop where the loss left the finite world."""
    names = list(terms[0])
    values = torch.stack([torch.stack([step[name] for name in names]) for step in terms])
    values = values.double().cpu()  # (steps, terms): the only wait for the device
    lost = ~values.isfinite().all(dim=1)
    if lost.any():
        worst = int(lost.nonzero()[0])
        stride = training.objective.steps_per_update
        step = training.step - (len(terms) - worst - 1) * stride
        shown = ", ".join(
            f"{name} {value:.6g}" for name, value in zip(names, values[worst].tolist(), strict=True)
        )
        raise Problem(f"training diverged at step {step}: {shown}; no checkpoint was written")
    means = dict(zip(names, values.mean(dim=0).tolist(), strict=True))
    training.history.append({"step": training.step, **means})


def write_state(path: Path, training: Training) -> None:
    """Everything needed to go on as if nothing had happened."""
    drawn: Any = training.images_drawn.get_state(legacy=True)
    _, keys, position, *_ = drawn
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
    """Put a fresh training where the state was written; it must be of the same run."""
    tensors, description = read_checkpoint(path)
    if content_digest(tensors) != description["digest"]:
        raise Problem(f"{path} is not what was written there")
    training.vae.load_state_dict(_under("vae/", tensors))
    training.objective.load_state_dict(_under("objective/", tensors))
    for owner, optimizer in optimizers(training).items():
        _restore(optimizer, _under(f"{owner}/", tensors))
    keys = tensors["images_drawn"].numpy().astype(np.uint32)
    training.images_drawn.set_state(("MT19937", keys, description["position"], 0, 0.0))
    training.noise.set_state(tensors["noise"])
    names, rows = description["history"], tensors["history"].tolist()
    training.history = [dict(zip(names, row, strict=True)) for row in rows]
    for row in training.history:
        row["step"] = int(row["step"])
    training.step = description["step"]


def optimizers(training: Training) -> dict[str, torch.optim.Optimizer]:
    """The model's optimiser and those of the objective's own networks, by name."""
    own = training.objective.own_optimizers()
    return {"optimizer": training.optimizer} | {f"optimizer of {k}": o for k, o in own.items()}


def _restore(optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    """The fused optimiser walks memory, not indices: a moment must lie as its parameter does."""
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    moments: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        index, moment = name.split("/")
        laid_out = torch.empty_like(parameters[int(index)]).copy_(tensor) if tensor.ndim else tensor
        moments.setdefault(int(index), {})[moment] = laid_out
    optimizer.load_state_dict({**optimizer.state_dict(), "state": moments})


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name[len(prefix) :]: t for name, t in tensors.items() if name.startswith(prefix)}
