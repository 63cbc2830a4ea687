"""Prepare a dataset once, in the format that training reads."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latents.data.images import ImageSet, write_images
from latents.runtime.errors import Problem
from latents.runtime.plugins import load
from latents.runtime.progress import Progress
from latents.runtime.record import digest
from latents.runtime.step import Outcome, run


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
) -> Outcome:
    """Write the images of the original files, or of the procedural twin if there are none."""
    module = load(*maker.rsplit("/", 1))
    if receipt is not None:
        refuse_changed(json.loads(receipt.read_text()), Path(folder))
    originals = [Path(folder) / name for name in files]
    made = module.read_original(originals, **options or {}) if files else module.make_twin()
    about, blocks = made
    identifier = write_images(images, about, watched(about, blocks))
    return Outcome(identifier=identifier, data=(about.source,))


def watched(about: ImageSet, blocks: Iterable[NDArray[np.uint8]]) -> Iterator[NDArray[np.uint8]]:
    """Yield the same blocks, and show their progress."""
    progress = Progress(about.source, about.factors.images, unit="image")
    done = 0
    for block in blocks:
        yield block
        done += len(block)
        progress.show(done)


def refuse_changed(receipt: dict[str, Any], folder: Path) -> None:
    """Raise a Problem if a file was changed after it was verified."""
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
