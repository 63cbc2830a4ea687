"""Prepare a dataset once, in the form that training reads."""

import json
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latents.images import ImageSet, write_images
from latents.problem import Problem
from latents.progress import Progress
from latents.record import digest
from latents.step import FACTS, run


def prepare_dataset(
    *,
    receipt: Path | None,
    own: list[Path],
    images: Path,
    maker: str,
    files: list[str],
    options: dict[str, Any] | None = None,
    listing: str | None = None,
    folder: str,
) -> None:
    """Without files, the stand-in; with them, what its reader makes of them."""
    module = import_module(f"latents.{maker}")
    if receipt is not None:
        refuse_changed(json.loads(receipt.read_text()), Path(folder))
    originals = [Path(folder) / name for name in files]
    made = module.read_original(originals, **options or {}) if files else module.make_twin()
    about, blocks = made
    FACTS["identifier"] = write_images(images, about, watched(about, blocks))
    FACTS["data"] = [about.source]


def watched(about: ImageSet, blocks: Iterable[NDArray[np.uint8]]) -> Iterator[NDArray[np.uint8]]:
    """The same blocks, with their progress shown."""
    progress = Progress(about.source, about.factors.images, unit="image")
    done = 0
    for block in blocks:
        yield block
        done += len(block)
        progress.show(done, {})


def refuse_changed(receipt: dict[str, Any], folder: Path) -> None:
    """A file may have been exchanged after it was verified."""
    for name, found in receipt.items():
        try:
            same = digest(folder / name) == found["sha256"]
        except OSError as error:
            raise Problem(f"cannot read {folder / name} ({error.strerror})") from error
        if not same:
            raise Problem(
                f"{folder / name} is no longer the file that was verified; delete its receipt in "
                "results/originals and run the same command again"
            )


if __name__ == "__main__":
    run(prepare_dataset)
