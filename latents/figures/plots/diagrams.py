"""The paper's three diagrams: a VAE in training, its representations, and sets of variables."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, FancyArrowPatch, FancyBboxPatch

from latents.figures.inputs import Inputs

INPUTS = ()
NEEDS = ("diagram", "statement")  # keys of its rows
BLUE, ORANGE, GREEN, GREY = "#c6dbef", "#fdd0a2", "#c7e9c0", "#eeeeee"
HEIGHT = 0.62

Box = tuple[str, float, float, float, str]  # label, x, y, width, colour
Arrow = tuple[int, int, str]  # from box, to box, label

VAE_BOXES: list[Box] = [
    ("$\\mathbf{x}$", 0.0, 0.0, 0.7, GREY),
    ("encoder\n$q_\\phi(\\mathbf{z}|\\mathbf{x})$", 1.5, 0.0, 1.3, BLUE),
    ("$\\mu$", 3.2, 0.55, 0.7, ORANGE),
    ("$\\sigma$", 3.2, -0.55, 0.7, ORANGE),
    ("$\\mathbf{z} = \\mu + \\sigma^{1/2}\\epsilon$", 5.1, 0.0, 1.7, GREEN),
    ("decoder\n$p_\\theta(\\mathbf{x}|\\mathbf{z})$", 7.1, 0.0, 1.3, BLUE),
    ("$\\hat{\\mathbf{x}}$", 8.6, 0.0, 0.7, GREY),
    ("$\\epsilon \\sim \\mathcal{N}(0, \\mathbf{I})$", 5.1, -1.25, 1.5, GREY),
]
VAE_ARROWS: list[Arrow] = [
    (0, 1, ""), (1, 2, ""), (1, 3, ""), (2, 4, ""), (3, 4, ""), (7, 4, ""), (4, 5, ""), (5, 6, ""),
]  # fmt: skip

REPRESENTATION_BOXES: list[Box] = [
    ("$\\mathbf{x}$", 0.0, 0.0, 0.7, GREY),
    ("encoder", 1.5, 0.0, 1.2, BLUE),
    ("$\\mu$", 3.2, 0.7, 0.7, ORANGE),
    ("$\\sigma$", 3.2, -0.7, 0.7, ORANGE),
    ("$\\mathbf{z}$", 5.0, 0.0, 0.7, GREEN),
    ("mean representation", 7.0, 0.9, 2.2, ORANGE),
    ("sampled representation", 7.0, 0.0, 2.2, GREEN),
    ("variance representation", 7.0, -0.9, 2.2, ORANGE),
]
REPRESENTATION_ARROWS: list[Arrow] = [
    (0, 1, ""), (1, 2, ""), (1, 3, ""), (2, 4, ""), (3, 4, ""), (2, 5, ""), (4, 6, ""), (3, 7, ""),
]  # fmt: skip

# Definition 2: a latent is passive (active) over the data if it is so for every example.
# Label, middle of the set, middle of the label, colour.
SETS = [
    ("passive for $\\mathbf{x}^{(1)}$", (-2.55, 0.2), (-3.0, 1.45), GREEN),
    ("passive for $\\mathbf{x}^{(2)}$", (-1.65, -0.2), (-1.2, -1.45), GREEN),
    ("active for $\\mathbf{x}^{(1)}$", (1.65, 0.2), (1.2, 1.45), BLUE),
    ("active for $\\mathbf{x}^{(2)}$", (2.55, -0.2), (3.0, -1.45), BLUE),
]
SET_LABELS = [
    ("passive", -2.1, 0.0),
    ("active", 2.1, 0.0),
    ("mixed: all the rest", 0.0, -2.0),
]


def tabulate(inputs: Inputs, row: dict[str, Any]) -> pd.DataFrame:
    """Return the boxes that are drawn; a diagram has no numbers."""
    if row["diagram"] == "variable_sets":
        drawn = [(label, *place) for label, _, place, _ in SETS] + SET_LABELS
    else:
        boxes = VAE_BOXES if row["diagram"] == "vae" else REPRESENTATION_BOXES
        drawn = [(label, x, y) for label, x, y, *_ in boxes]
    table = pd.DataFrame(drawn, columns=["label", "x", "y"])
    return table.assign(source="no data", label=table["label"].str.replace("\n", " "))


def draw(table: pd.DataFrame, row: dict[str, Any]) -> Figure:
    figure = Figure(figsize=(7.6, 2.7), layout="constrained")
    axis: Any = figure.subplots()
    axis.set_axis_off()
    if row["diagram"] == "variable_sets":
        _draw_sets(axis)
    elif row["diagram"] == "vae":
        _draw_boxes(axis, VAE_BOXES, VAE_ARROWS)
    else:
        _draw_boxes(axis, REPRESENTATION_BOXES, REPRESENTATION_ARROWS)
    return figure


def _draw_boxes(axis: Axes, boxes: list[Box], arrows: list[Arrow]) -> None:
    patches = []
    for label, x, y, width, colour in boxes:
        patch = FancyBboxPatch(
            (x - width / 2, y - HEIGHT / 2),
            width,
            HEIGHT,
            boxstyle="round,pad=0.04",
            facecolor=colour,
            edgecolor="0.3",
        )
        patches.append(axis.add_patch(patch))
        axis.text(x, y, label, ha="center", va="center", fontsize=10)
    for start, end, _ in arrows:
        ends = (boxes[start][1:3], boxes[end][1:3])
        axis.add_patch(
            FancyArrowPatch(
                *ends,
                arrowstyle="-|>",
                mutation_scale=11,
                color="0.25",
                patchA=patches[start],
                patchB=patches[end],
                shrinkA=1,
                shrinkB=1,
            )
        )
    axis.set_xlim(-0.6, max(x + width / 2 for _, x, _, width, _ in boxes) + 0.2)
    axis.set_ylim(-1.75, 1.35)
    axis.set_aspect("equal")


def _draw_sets(axis: Axes) -> None:
    frame = FancyBboxPatch((-4.2, -2.3), 8.4, 4.15, boxstyle="round,pad=0.05", facecolor="white")
    axis.add_patch(frame).set_edgecolor("0.3")
    for label, middle, place, colour in SETS:
        ellipse = Ellipse(middle, 2.5, 2.0, facecolor=colour, edgecolor="0.3", alpha=0.6)
        axis.add_patch(ellipse)
        axis.text(*place, label, ha="center", va="center", fontsize=8)
    for label, x, y in SET_LABELS:
        axis.text(x, y, label, ha="center", va="center", fontsize=9, weight="bold")
    axis.set_xlim(-4.4, 4.4)
    axis.set_ylim(-2.5, 2.0)
    axis.set_aspect("equal")


def describe(table: pd.DataFrame, row: dict[str, Any]) -> str:
    return str(row["statement"])
