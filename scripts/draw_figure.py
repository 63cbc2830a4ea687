"""Draw a figure, with a table of its numbers and a caption that states the finding."""

from pathlib import Path
from typing import Any

import pandas as pd

from latents.evaluation.tables import read_table, write_table
from latents.figures.inputs import Inputs
from latents.figures.style import (
    add_footer,
    paper_style,
    refuse_hidden,
    save_pdf,
    save_png,
    scale_sentence,
)
from latents.runtime.plugins import load
from latents.runtime.step import run


def draw_figure(
    *,
    scores: list[Path],
    variables: list[Path],
    snapshots: list[Path],
    representations: list[Path],
    pdf: Path,
    png: Path,
    csv: Path,
    caption: Path,
    figure: str,
    row: dict[str, Any],
    runs: list[dict[str, Any]],
    tolerance: float,
    scale_name: str,
    scale: dict[str, Any],
    paper: dict[str, Any],
    key: str,
) -> None:
    """Let the plot module tabulate the inputs, draw the table, and describe the table."""
    plot = load("figures/plots", row["plot"])
    inputs = Inputs(
        scores=gather(scores),
        variables=gather(variables),
        snapshots=gather(snapshots),
        representations=list(zip(runs, representations, strict=True)),
        tolerance=tolerance,
    )
    table = plot.tabulate(inputs, row)
    sourced = table if "source" in table else pd.concat([inputs.scores, inputs.variables])
    source = ", ".join(sorted(sourced["source"].unique()))
    lines = footer(scale_name, scale, paper, source)
    lines += table["choice"].unique().tolist() if "choice" in table else []
    lines += [row["note"]] if "note" in row else []
    prefix = f"{row['paper']}: " if "paper" in row else ""
    title = f"{prefix}{row['title']}, {row['subject']}".removesuffix(", ")
    with paper_style():
        drawn = plot.draw(table, row)
        refuse_hidden(drawn)
        add_footer(drawn, lines)
        save_pdf(drawn, pdf, title=title, key=key)
        save_png(drawn, png, key=key)
    table = table.drop(columns=["source", "choice"], errors="ignore")
    table.insert(0, "figure", figure)
    table.insert(1, "scale", scale_name)
    table.insert(2, "source", source)
    write_table(csv, table)
    finding = plot.describe(table, row)
    caption.write_text("\n".join([title, *lines, finding]) + "\n")


def gather(paths: list[Path]) -> pd.DataFrame:
    tables = [read_table(path, ("cell", "strength", "seed")) for path in paths]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def footer(name: str, scale: dict[str, Any], paper: dict[str, Any], source: str) -> list[str]:
    """Return the scale of the figure and that of the paper; both are empty for a diagram."""
    if not scale:
        return []
    own = scale_sentence(f"This figure, {name} scale", scale, source) + "."
    if not paper:
        return [own]
    full_scale = {**paper, "seeds": max(scale["seeds"], paper["seeds"])}
    below = "" if scale == full_scale else " Below the paper's scale."
    return [own + below, scale_sentence("The paper", paper, "original data") + "."]


if __name__ == "__main__":
    run(draw_figure)
