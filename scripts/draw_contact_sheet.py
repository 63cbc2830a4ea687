"""Draw a dataset's contact sheet."""

from pathlib import Path

import torch

from latents.batches import open_source
from latents.contact_sheet import draw_sheet
from latents.step import run
from latents.style import add_footer, paper_style, save_pdf


def draw_contact_sheet(
    *,
    images: Path,
    background: Path | None,
    pdf: Path,
    title: str,
    variation: str | None,
    key: str,
) -> None:
    data = open_source(images, torch.device("cpu"), variation=variation, background=background)
    channels, height, width = data.image_shape
    footer = (
        f"Shown here: {data.source}. {data.factors.images:,} images of {width}×{height} pixels, "
        f"{channels} channel{'s' if channels > 1 else ''}; in each row the other factors stay a "
        "third of their way."
    )
    with paper_style():
        sheet = draw_sheet(data, title)
        add_footer(sheet, [footer])
        save_pdf(sheet, pdf, title=title, key=key)


if __name__ == "__main__":
    run(draw_contact_sheet)
