"""Copy a scale's figure to where everybody looks for it."""

import shutil
from pathlib import Path

from latents.step import run


def publish_figure(
    *,
    drawn: list[Path],
    pdf: Path,
    png: Path,
    csv: Path,
    caption: Path,
    scale_name: str,
) -> None:
    """All files of the chosen scale; `scale_name` is recorded with them."""
    for source, target in zip(drawn, (pdf, png, csv, caption), strict=True):
        shutil.copyfile(source, target)


if __name__ == "__main__":
    run(publish_figure)
