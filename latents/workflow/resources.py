"""Memory and time that a job requests from a cluster, guessed from the scale.

A guess that is too small costs a resubmission with more, and no result.
"""

from collections.abc import Callable
from math import ceil
from typing import Any

# ASSUME: steps are as costly as those of the full conv network on 64x64 images. One core made
# 11.7 steps of 64 such images a second (benchmarks/README.md); any GPU of the last years makes ten
# times as many (`make gpu-check` tells).
IMAGES_PER_SECOND = {"cpu": 600, "gpu": 6000}
START = 10  # minutes for reading the images from a busy file system, and for writing


def growing(amount: int) -> Callable[..., int]:
    """Return a request that grows with every attempt."""

    def request(wildcards: object, attempt: int) -> int:
        return amount * attempt

    return request


def training_minutes(scale: dict[str, Any], *, gpu: bool) -> int:
    """Return steps x batch / rate, half as much again for slower machines, plus the start.

    It is the same for every attempt: a later one resumes where the one before was stopped, and
    partitions have limits.
    """
    images: int = scale["steps"] * scale["batch_size"]
    seconds = images / IMAGES_PER_SECOND["gpu" if gpu else "cpu"]
    return START + ceil(1.5 * seconds / 60)
