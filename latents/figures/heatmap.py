"""Heat map of the correlations between latents."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

INITIALS = {"active": "a", "mixed": "m", "passive": "p"}


def draw_heatmap(correlations: NDArray[np.float64], types: list[str], title: str) -> Figure:
    """Draw signed correlations (d, d), with each latent labelled by its number and type."""
    count = len(types)
    side = 1.6 + 0.42 * count
    figure = Figure(figsize=(side + 0.8, side), layout="constrained")
    axis: Any = figure.subplots()
    shown = axis.imshow(correlations, cmap="RdBu_r", vmin=-1, vmax=1)
    labels = [f"{j} {INITIALS[kind]}" for j, kind in enumerate(types)]
    axis.set_xticks(range(count), labels, rotation=90 if count > 12 else 0, fontsize=8)
    axis.set_yticks(range(count), labels, fontsize=8)
    for row, column in np.ndindex(count, count):
        value = correlations[row, column]
        if row != column and np.isfinite(value):
            colour = "white" if abs(value) > 0.6 else "0.2"
            axis.text(
                column, row, f"{value:.2f}", ha="center", va="center", fontsize=6, color=colour
            )
    axis.set_title(title, fontsize=10)
    axis.set_xlabel("latent (a active, m mixed, p passive)")
    figure.colorbar(shown, ax=axis, label="correlation", shrink=0.85)
    return figure
