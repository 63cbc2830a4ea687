"""Prepare a dataset once, in the form that training reads."""

from importlib import import_module
from pathlib import Path

from latents.step import run


def prepare_dataset(*, dataset: str, images: Path) -> None:
    import_module(f"latents.datasets.{dataset}").prepare(images)


if __name__ == "__main__":
    run(prepare_dataset)
