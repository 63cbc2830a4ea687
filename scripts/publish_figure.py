"""Copy a scale's figure to where everybody looks for it."""

import shutil
from pathlib import Path

from latents.step import run


def publish_figure(
    *,
    drawn_pdf: Path,
    drawn_csv: Path,
    drawn_caption: Path,
    pdf: Path,
    csv: Path,
    caption: Path,
    scale_name: str,
) -> None:
    """The three files of the chosen scale; `scale_name` is recorded with them."""
    for source, target in ((drawn_pdf, pdf), (drawn_csv, csv), (drawn_caption, caption)):
        shutil.copyfile(source, target)


if __name__ == "__main__":
    run(publish_figure)
