"""A sheet of a dataset's images, with one row per factor that shows what the factor changes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from latents.data.factors import Factors, FactorTable, name_value

COLUMNS = 12  # values shown of a factor that has more, the first and the last among them
CELL = 0.62  # inches
LABEL = 1.35
LONGEST = 12  # characters that fit over an image


@dataclass(frozen=True)
class Strip:
    """One row of the sheet: which images it shows, and what is written beside and above them."""

    label: str
    captions: list[str]
    rows: NDArray[np.int64]  # of the images in the dataset


def plan_strips(factors: Factors, *, repeat: bool) -> list[Strip]:
    """Return a strip for each factor that changes; with `repeat`, also one of a single image.

    Images with random augmentation look different each time that they are read.
    """
    changing = [factor for factor, size in enumerate(factors.sizes) if size > 1]
    strips = [_traversal(factors, factor) for factor in changing]
    if repeat and strips:
        same = strips[0].rows[:1].repeat(COLUMNS)
        strips.append(Strip("the same image,\nother draws", [""] * COLUMNS, same))
    return strips


def _traversal(factors: Factors, factor: int) -> Strip:
    values, rows = traverse(factors, factor)
    label = f"{factors.names[factor]}\n{factors.sizes[factor]} values"
    label += "" if factor in factors.latent else ",\nno ground truth"
    captions = [name_value(factors, factor, int(value)) for value in values]
    return Strip(label, [_shortened(caption) for caption in captions], rows)


def _shortened(caption: str) -> str:
    return caption if len(caption) <= LONGEST else caption[: LONGEST - 1] + "…"


def traverse(factors: Factors, factor: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a factor's values and the rows of images that have them, all else fixed.

    The other factors stay a third of their way. Where the images fill no grid, the nearest ones
    are taken: those that differ in the fewest factors.
    """
    size = factors.sizes[factor]
    values = np.unique(np.linspace(0, size - 1, min(size, COLUMNS)).round().astype(np.int64))
    wanted = np.tile([n // 3 for n in factors.sizes], (len(values), 1))
    wanted[:, factor] = values
    if isinstance(factors, FactorTable):
        return values, np.array([_nearest(factors, factor, vector) for vector in wanted])
    return values, factors.rows(wanted)


def _nearest(factors: FactorTable, factor: int, wanted: NDArray[np.int64]) -> int:
    differences = (factors.values != wanted).sum(axis=1)
    differences[factors.values[:, factor] != wanted[factor]] += len(wanted)
    return int(differences.argmin())


def draw_sheet(strips: list[Strip], images: list[NDArray[np.floating]], title: str) -> Figure:
    """Draw the images of each strip, (n, channels, height, width) in [0, 1]."""
    figure = Figure(figsize=(LABEL + COLUMNS * CELL, 0.4 + len(strips) * CELL * 1.25))
    grid: Any = figure.subplots(len(strips), COLUMNS, squeeze=False)
    figure.subplots_adjust(
        left=LABEL / figure.get_figwidth(),
        right=0.995,
        bottom=0.01,
        top=0.9,
        hspace=0.28,
        wspace=0.06,
    )
    for axes, strip, pictures in zip(grid, strips, images, strict=True):
        _draw_strip(axes, strip, pictures)
    figure.suptitle(title, fontsize=10)
    return figure


def _draw_strip(axes: list[Axes], strip: Strip, pictures: NDArray[np.floating]) -> None:
    for axis, picture, caption in zip(axes, pictures, strip.captions, strict=False):
        grey = len(picture) == 1
        shown = picture[0] if grey else picture.transpose(1, 2, 0)
        axis.imshow(shown, cmap="gray" if grey else None, vmin=0, vmax=1, interpolation="none")
        axis.set_title(caption, fontsize=6, pad=1.5, color="0.35")
    for axis in axes:
        axis.set_axis_off()
    axes[0].text(
        -0.15, 0.5, strip.label, transform=axes[0].transAxes, ha="right", va="center", fontsize=7
    )
