"""Tensors with a description, in safetensors: no pickle, and equal bytes for equal content."""

import hashlib
import json
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from latents.problem import Problem


def write_checkpoint(path: Path, tensors: dict[str, Tensor], description: dict[str, Any]) -> None:
    """Description goes into one metadata key: safetensors orders several keys at random."""
    text = json.dumps(description, sort_keys=True, separators=(",", ":"))
    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    path.write_bytes(save(contiguous, metadata={"description": text}))


def content_digest(tensors: dict[str, Tensor]) -> str:
    """sha256 of names and values: a checkpoint alone does not tell that a bit of it has changed."""
    found = hashlib.sha256()
    for name in sorted(tensors):
        found.update(name.encode())
        found.update(tensors[name].detach().cpu().numpy().tobytes())
    return found.hexdigest()


def read_checkpoint(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    try:
        with safe_open(path, framework="pt") as file:
            description = json.loads(file.metadata()["description"])
            return {name: file.get_tensor(name) for name in file.keys()}, description  # noqa: SIM118
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise Problem(f"{path} is not a readable checkpoint ({error})") from error
