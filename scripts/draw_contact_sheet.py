"""Draw a dataset's contact sheet."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from latents.data.batches import ImageSource, open_source
from latents.figures.contact_sheet import Strip, draw_sheet, plan_strips
from latents.figures.style import add_footer, paper_style, save_pdf, save_png
from latents.runtime.errors import Problem
from latents.runtime.step import run


def draw_contact_sheet(
    *,
    images: Path,
    background: Path | None,
    pdf: Path,
    png: Path,
    title: str,
    variation: str | None,
    key: str,
) -> None:
    """Draw a row of images per factor, and one of the same image where augmentation is random."""
    data = open_source(images, torch.device("cpu"), variation=variation, background=background)
    strips = plan_strips(data.factors, repeat=data.variation is not None)
    if not strips:
        raise Problem(f"{data.source}: no factor has more than one value, there is no row to draw")
    channels, height, width = data.image_shape
    footer = (
        f"Shown here: {data.source}. {data.factors.images:,} images of {width}×{height} pixels, "
        f"{channels} channel{'s' if channels > 1 else ''}; in each row the other factors stay a "
        "third of their way."
    )
    with paper_style():
        sheet = draw_sheet(strips, read_strips(data, strips), title)
        add_footer(sheet, [footer])
        save_pdf(sheet, pdf, title=title, key=key)
        save_png(sheet, png, key=key)


def read_strips(data: ImageSource, strips: list[Strip]) -> list[NDArray[np.float32]]:
    """Return the images of each strip, (n, channels, height, width)."""
    generator = torch.Generator(data.device).manual_seed(0)
    return [data.read(torch.from_numpy(strip.rows), generator).numpy() for strip in strips]


if __name__ == "__main__":
    run(draw_contact_sheet)
