"""Style shared by all figures: the paper's style, a footer that states the scale, stable bytes."""

import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import seaborn
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from latents.runtime.errors import Problem
from latents.runtime.identifier import carried

# The reference draws the sampled representation first, so it has the first colour.
CURVES: dict[str, dict[str, Any]] = {
    "sampled": {"color": "C0", "linestyle": "-", "marker": "o"},
    "mean": {"color": "C1", "linestyle": "--", "marker": "x"},
}
# A type of variable has the same colour in every figure; stacked bars have passive at the bottom.
TYPE_COLOURS = {"passive": "C2", "mixed": "C1", "active": "C0"}
PANEL = (3.0, 3.0)  # inches
COLUMNS = 3  # of panels, at most
PAGE = 6.5  # inches of text on a page, to which a wider figure is shrunk
FOOTER_SIZE = 6.5  # points, on a page
CHARACTER = 0.58  # width of an average character, relative to the size of the font


@contextmanager
def paper_style() -> Iterator[None]:
    """Use seaborn's whitegrid without its grid lines, and keep text as text in the PDF."""
    matplotlib.use("agg")  # no figure is shown, and none needs a screen
    settings: Any = {"axes.grid": False, "pdf.fonttype": 42, "savefig.dpi": 300}
    with seaborn.axes_style("whitegrid"), matplotlib.rc_context(settings):
        yield


def scale_sentence(name: str, scale: dict[str, Any], source: str) -> str:
    """Return seeds × steps, network and data of a scale, in one line."""
    seeds = "1 seed" if scale["seeds"] == 1 else f"{scale['seeds']:,} seeds"
    width = "" if scale["width"] == 1 else f" at {scale['width']:g}× width"
    return (
        f"{name}: {seeds} × {scale['steps']:,} steps, {scale['network']} network"
        f"{width}, batch {scale['batch_size']}, Adam {scale['learning_rate']:g}, "
        f"{scale['examples']:,} examples, {source}"
    )


def panel_axes(count: int, *, width: float = 1, height: float = 1) -> tuple[Figure, list[Axes]]:
    """Return a figure with that many axes, in as many equal rows as its columns require.

    `width` and `height` are those of an axis, relative to PANEL.
    """
    rows = math.ceil(count / COLUMNS)
    columns = math.ceil(count / rows)
    size = (width * PANEL[0] * columns, height * PANEL[1] * rows)
    figure = Figure(figsize=size, layout="constrained")
    return figure, [figure.add_subplot(rows, columns, place + 1) for place in range(count)]


def share_heights(axes: list[Axes]) -> None:
    """Give all axes the heights that hold everything that was drawn in any of them."""
    lows, highs = zip(*(axis.get_ylim() for axis in axes), strict=True)
    for axis in axes:
        axis.set_ylim(min(lows), max(highs))


def strength_ticks(axis: Axes, strengths: list[float], label: str) -> None:
    """Make the axis categorical: strengths at equal distances, however far apart they are."""
    axis.set_xticks(range(len(strengths)), [f"{strength:g}" for strength in strengths])
    axis.set_xlabel(label)


def draw_curve(
    axis: Axes, places: Any, points: pd.DataFrame, *, errors: bool, **style: Any
) -> None:
    """Draw the means of a table's points, with their standard errors if asked for."""
    axis.plot(places, points["mean"], **style)
    if errors:
        axis.errorbar(
            places, points["mean"], points["standard_error"], fmt="none", ecolor=style["color"]
        )


def add_footer(figure: Figure, lines: list[str]) -> None:
    """Write grey lines under the panels, at most as wide as the figure.

    They are larger in a figure that is wider than a page, so that they can be read on the page.
    `savefig(bbox_inches="tight")` makes space for them.
    """
    width = figure.get_figwidth()
    size = FOOTER_SIZE * max(1, width / PAGE)
    characters = int(72 * width / (CHARACTER * size))
    text = "\n".join(fill(line, characters, break_on_hyphens=False) for line in lines)
    figure.text(0.01, -0.02, text, fontsize=size, color="0.35", va="top")


def refuse_hidden(figure: Figure) -> None:
    """Raise a Problem if a number of the figure's lines or bars is outside of its axes."""
    for axis in figure.axes:
        bars = [p for p in axis.patches if isinstance(p, Rectangle)]
        drawn = [np.asarray(line.get_ydata(), dtype=float) for line in axis.lines]
        drawn += [np.array([bar.get_y(), bar.get_y() + bar.get_height()]) for bar in bars]
        heights = np.concatenate([np.empty(0), *drawn])
        low, high = sorted(axis.get_ylim())
        slack = 1e-9 * (high - low)
        if np.any((heights < low - slack) | (heights > high + slack)):
            raise Problem(f"numbers between {low:g} and {high:g} are shown, but there are others")


def save_pdf(figure: Figure, path: Path, *, title: str, key: str) -> None:
    """Save a PDF without a date, so that equal figures are equal files; `key` finds its record."""
    buffer = io.BytesIO()
    metadata = {"Title": title, "Subject": carried(key), "CreationDate": None}
    figure.savefig(buffer, format="pdf", bbox_inches="tight", metadata=metadata)
    path.write_bytes(buffer.getvalue())


def save_png(figure: Figure, path: Path, *, key: str) -> None:
    """Save the figure as a picture."""
    buffer = io.BytesIO()
    figure.savefig(
        buffer, format="png", bbox_inches="tight", dpi=150, metadata={"Comment": carried(key)}
    )
    path.write_bytes(buffer.getvalue())
