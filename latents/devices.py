"""A GPU for each job, where several of them share a machine (`profiles/gpu`).

A job holds the lock of a place on a GPU for as long as its process lives, so a killed job frees its
place, and several Snakemakes on one machine keep out of each other's way. It sees no other GPU.
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


def take_gpu(device: str | None) -> TextIO | None:
    """Wait for a place on a GPU; the caller keeps what is returned until its process ends.

    None where nothing is to be shared out: no places set, no GPU, or a device chosen by name.
    """
    places = int(os.environ.get(PLACES, 0))
    gpus = visible_gpus() if places and device in ("auto", "cuda") else []
    if not gpus:
        return None
    while True:
        for place in range(places):
            gpu = gpus[place % len(gpus)]
            if lock := _locked(f"{gpu}.{place // len(gpus)}"):
                os.environ[VISIBLE] = gpu
                return lock
        time.sleep(0.5)


def visible_gpus() -> list[str]:
    """As the user restricts them, else all of this machine's, by names that no order can change."""
    if VISIBLE in os.environ:
        return [name for name in os.environ[VISIBLE].split(",") if name]
    query = ["nvidia-smi", "--query-gpu=uuid", "--format=csv,noheader"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return []


def _locked(name: str) -> TextIO | None:
    folder = Path(tempfile.gettempdir(), f"latents-gpus-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    lock = (folder / name).open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock
