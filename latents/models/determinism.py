"""Choice of the device, and settings that make every run give the same numbers."""

import os

import torch

from latents.runtime.errors import Problem


def choose_device(name: str) -> torch.device:
    """Return the device of a name; `auto` is the GPU if there is one, otherwise the CPU."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise Problem(f"device {name} was asked for, but this PyTorch sees no CUDA device")
    return torch.device(name)


def fix_rounding(threads: int) -> None:
    """Fix the number of threads, choose deterministic kernels and turn TF32 off."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    # Filling memory before it is overwritten costs time; nothing here reads it before that.
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    torch.backends.cudnn.benchmark = False
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
