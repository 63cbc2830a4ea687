"""One GPU for each job, where several jobs share a machine (`profiles/gpu`).

A job locks a slot on a GPU as long as its process lives, so a killed job frees its slot, and
several Snakemakes on one machine do not collide. Its process is to see no other GPU.
"""

import fcntl
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TextIO

PLACES = "LATENTS_GPU_PLACES"  # where the workflow tells its jobs how many may be on GPUs
VISIBLE = "CUDA_VISIBLE_DEVICES"


def take_gpu(device: str | None) -> tuple[str | None, TextIO | None]:
    """Wait for a slot on a GPU; return the GPU, and the slot's lock to keep until the process ends.

    Return None and None if there is nothing to share: no slots set, no GPU, or a device chosen by
    name.
    """
    places = int(os.environ.get(PLACES, 0))
    gpus = visible_gpus() if places and device in ("auto", "cuda") else []
    if not gpus:
        return None, None
    while True:
        for place in range(places):
            gpu = gpus[place % len(gpus)]
            if lock := _locked(f"{gpu}.{place // len(gpus)}"):
                return gpu, lock
        time.sleep(0.5)


def visible_gpus() -> list[str]:
    """Return the GPUs that the user allows, or all of this machine, by stable identifiers."""
    chosen = os.environ.get(VISIBLE)
    if chosen is not None:
        return [name for name in chosen.split(",") if name]
    query = ["nvidia-smi", "--query-gpu=uuid", "--format=csv,noheader"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return []


def _locked(name: str) -> TextIO | None:
    """Return the lock of a slot; None if another process holds it."""
    folder = Path(tempfile.gettempdir(), f"latents-gpus-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    lock = (folder / name).open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock
