"""Draw a figure, with the numbers it shows and a caption that says what came out."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from latents.figure_inputs import Inputs
from latents.step import run
from latents.style import (
    add_footer,
    paper_style,
    refuse_hidden,
    save_pdf,
    save_png,
    scale_sentence,
)
from latents.tables import read_table, write_table


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
    """The plot module makes the table, draws the table, and reads the finding off the table."""
    plot = import_module(f"latents.plots.{row['plot']}")
    inputs = Inputs(
        scores=gather(scores),
        variables=gather(variables),
        snapshots=gather(snapshots),
        representations=list(zip(runs, representations, strict=True)),
        tolerance=tolerance,
    )
    table = plot.tabulate(inputs, row)
    told = table if "source" in table else pd.concat([inputs.scores, inputs.variables])
    source = ", ".join(sorted(told["source"].unique()))
    lines = footer(scale_name, scale, paper, source, row)
    title = f"{row['paper']}: {row['title']}, {row['subject']}".removesuffix(", ")
    with paper_style():
        drawn = plot.draw(table, row)
        refuse_hidden(drawn)
        add_footer(drawn, lines)
        save_pdf(drawn, pdf, title=title, key=key)
        save_png(drawn, png, key=key)
    table = table.drop(columns="source", errors="ignore")
    table.insert(0, "figure", figure)
    table.insert(1, "scale", scale_name)
    table.insert(2, "source", source)
    write_table(csv, table)
    finding = plot.describe(table, row)
    caption.write_text("\n".join([title, *lines, finding]) + "\n")


def gather(paths: list[Path]) -> pd.DataFrame:
    tables = [read_table(path, ("cell", "strength", "seed")) for path in paths]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def footer(
    name: str, scale: dict[str, Any], paper: dict[str, Any], source: str, row: dict[str, Any]
) -> list[str]:
    """What the figure was made at, and the paper's own; a diagram needs neither."""
    notes = [row["note"]] if "note" in row else []
    if not row["cells"]:
        return notes
    as_many = {**paper, "seeds": max(scale["seeds"], paper["seeds"])}
    below = "" if scale == as_many else " Below the paper's scale."
    return [
        scale_sentence(f"This figure, {name} scale", scale, source) + "." + below,
        scale_sentence("The paper", paper, "original data") + ".",
        *notes,
    ]


if __name__ == "__main__":
    run(draw_figure)
