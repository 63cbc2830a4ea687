"""Copy the figure of the chosen scale to `figures/`."""

import shutil
from pathlib import Path

from latents.runtime.step import run


def publish_figure(
    *,
    drawn: list[Path],
    pdf: Path,
    png: Path,
    csv: Path,
    caption: Path,
    scale_name: str,
) -> None:
    """Copy all files of a figure; `scale_name` is only recorded."""
    for source, target in zip(drawn, (pdf, png, csv, caption), strict=True):
        shutil.copyfile(source, target)


if __name__ == "__main__":
    run(publish_figure)
