"""Prepare a dataset once, in the form that training reads."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from latents.images import write_images
from latents.problem import Problem
from latents.record import digest
from latents.step import run


def prepare_dataset(
    *,
    receipt: Path | None,
    own: list[Path],
    images: Path,
    maker: str,
    files: list[str],
    options: dict[str, Any] | None = None,
    listing: list[Any] | None = None,
    folder: str,
) -> None:
    """Without files, the stand-in; with them, what its reader makes of them."""
    module = import_module(f"latents.{maker}")
    if not files:
        write_images(images, *module.make_twin())
        return
    if receipt is not None:
        refuse_changed(json.loads(receipt.read_text()), Path(folder))
    originals = [Path(folder) / name for name in files]
    write_images(images, *module.read_original(originals, **options or {}))


def refuse_changed(receipt: dict[str, Any], folder: Path) -> None:
    """A file may have been exchanged after it was verified."""
    for name, found in receipt.items():
        try:
            same = digest(folder / name) == found["sha256"]
        except OSError as error:
            raise Problem(f"cannot read {folder / name} ({error.strerror})") from error
        if not same:
            raise Problem(f"{folder / name} is no longer the file that was verified")


if __name__ == "__main__":
    run(prepare_dataset)
