"""Draw a figure, with the numbers it shows and a caption that says what came out."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from latents.step import run
from latents.style import add_footer, paper_style, save_pdf, scale_sentence
from latents.tables import read_table, write_table


def draw_figure(
    *,
    scores: list[Path],
    pdf: Path,
    csv: Path,
    caption: Path,
    figure: str,
    row: dict[str, Any],
    scale_name: str,
    scale: dict[str, Any],
    paper: dict[str, Any],
    key: str,
) -> None:
    """The plot module makes the table, draws the table, and reads the finding off the table."""
    plot = import_module(f"latents.plots.{row['plot']}")
    columns = ("cell", "strength", "seed", "source", "metric", "representation", "score")
    gathered = pd.concat([read_table(path, columns) for path in scores])
    source = ", ".join(sorted(gathered["source"].unique()))
    table = plot.tabulate(gathered, row)
    made = scale_sentence(f"This figure, {scale_name} scale", scale, source)
    published = scale_sentence("The paper", paper, "original data")
    title = f"{row['paper']}: {row['title']}, {row['subject']}"
    with paper_style():
        drawn = plot.draw(table, row)
        add_footer(drawn, [made, published])
        save_pdf(drawn, pdf, title=title, key=key)
    table.insert(0, "figure", figure)
    table.insert(1, "scale", scale_name)
    table.insert(2, "source", source)
    write_table(csv, table)
    caption.write_text(f"{title}\n{made}\n{published}\n{plot.describe(table, row)}\n")


if __name__ == "__main__":
    run(draw_figure)
