"""A sheet of a dataset's images: one row per factor, so that one sees what each of them does."""

from typing import Any

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from latents.batches import ImageSource
from latents.factors import Factors, FactorTable
from latents.problem import Problem

COLUMNS = 12  # values shown of a factor that has more, the first and the last among them
CELL = 0.62  # inches
LABEL = 1.35


def traverse(factors: Factors, factor: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(values, rows): the factor's values with all others fixed a third of the way.

    Images that fill no grid are the nearest there are: those that differ in the fewest factors.
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


def draw_sheet(images: ImageSource, title: str) -> Figure:
    factors = images.factors
    shown = [i for i, size in enumerate(factors.sizes) if size > 1]
    if not shown:
        raise Problem(
            f"{images.source}: no factor has more than one value, there is no row to draw"
        )
    rows = len(shown) + (images.variation is not None)
    figure = Figure(figsize=(LABEL + COLUMNS * CELL, 0.4 + rows * CELL * 1.25))
    grid: Any = figure.subplots(rows, COLUMNS, squeeze=False)
    figure.subplots_adjust(
        left=LABEL / figure.get_figwidth(),
        right=0.995,
        bottom=0.01,
        top=0.9,
        hspace=0.28,
        wspace=0.06,
    )
    generator = torch.Generator(images.device).manual_seed(0)
    for axes, factor in zip(grid, shown, strict=False):
        values, chosen = traverse(factors, factor)
        name = f"{factors.names[factor]}\n{factors.sizes[factor]} values"
        name += "" if factor in factors.latent else ",\nno ground truth"
        _draw_row(axes, images, chosen, generator, name, [str(value) for value in values])
    if images.variation is not None:
        same = np.repeat(traverse(factors, shown[0])[1][:1], COLUMNS)
        _draw_row(grid[-1], images, same, generator, "the same image,\nother draws", [""] * COLUMNS)
    figure.suptitle(title, fontsize=10)
    return figure


def _draw_row(
    axes: list[Axes],
    images: ImageSource,
    rows: NDArray[np.int64],
    generator: torch.Generator,
    name: str,
    captions: list[str],
) -> None:
    pictures = images.look(torch.from_numpy(rows).to(images.device), generator).cpu().numpy()
    for axis, picture, caption in zip(axes, pictures, captions, strict=False):
        grey = len(picture) == 1
        shown = picture[0] if grey else picture.transpose(1, 2, 0)
        axis.imshow(shown, cmap="gray" if grey else None, vmin=0, vmax=1, interpolation="none")
        axis.set_title(caption, fontsize=6, pad=1.5, color="0.35")
    for axis in axes:
        axis.set_axis_off()
    axes[0].text(-0.15, 0.5, name, transform=axes[0].transAxes, ha="right", va="center", fontsize=7)
