"""State of an unfinished training on disk: a killed training resumes and ends with the same bits.

Fingerprints leave this module out (`runtime/neutral_code.py`).
"""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from latents.models.checkpoint import content_digest, read_checkpoint, write_checkpoint
from latents.models.training import Training
from latents.runtime.atomic_files import remove, replacing
from latents.runtime.errors import Problem


class StateFolder:
    """`<run's folder>/<key>-<device>/`; the key depends on code, values and inputs.

    A state that was written under another key is never read, so nothing stale is resumed.
    Snakemake does not know these files; it would delete them when the job is killed. Two processes
    never write them at the same time: whoever runs the job holds its lease (`runtime/lease.py`).
    """

    def __init__(self, folder: Path, key: str, device: str, *, every: int) -> None:
        self.folder = folder / f"{key}-{device}"
        self.state = self.folder / "state.safetensors"
        self.every = every
        self.saved = 0

    def resume(self, training: Training, name: str) -> None:
        """Bring a new training to its last state, if there is one that can be read.

        States of other keys are deleted: they are never read again.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        for other in self.folder.parent.iterdir():
            if other != self.folder:
                remove(other)
        if not self.state.exists():
            return
        try:
            read_state(self.state, training)
            self.saved = training.step
            print(f"{name}: resumed from step {training.step}", flush=True)
        except Problem as problem:
            print(f"{name}: starting again from step 0, because {problem}", flush=True)

    def save(self, training: Training) -> None:
        """Write the state if enough steps have passed since the last one."""
        if training.step - self.saved >= self.every:
            write_state(self.state, training)
            self.saved = training.step

    def clear(self) -> None:
        """Delete all states of the run."""
        shutil.rmtree(self.folder.parent, ignore_errors=True)


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
