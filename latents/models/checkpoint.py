"""Checkpoints: tensors with a description, in safetensors; equal content gives equal bytes."""

import hashlib
import json
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from latents.runtime.errors import Problem


def write_checkpoint(path: Path, tensors: dict[str, Tensor], description: dict[str, Any]) -> None:
    """Write tensors, with the description in one key: safetensors shuffles several."""
    text = json.dumps(description, sort_keys=True, separators=(",", ":"))
    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    path.write_bytes(save(contiguous, metadata={"description": text}))


def content_digest(tensors: dict[str, Tensor]) -> str:
    """Return the sha256 of names and values, by which a damaged checkpoint is recognised."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].detach().cpu().numpy().tobytes())
    return digest.hexdigest()


def read_checkpoint(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return the tensors of a checkpoint and its description."""
    try:
        with safe_open(path, framework="pt") as file:
            description = json.loads(file.metadata()["description"])
            return {name: file.get_tensor(name) for name in file.keys()}, description  # noqa: SIM118
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise Problem(f"{path} is not a readable checkpoint ({error})") from error
