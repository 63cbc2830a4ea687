"""Draw all claims of a scale on one page, one line each."""

from pathlib import Path
from typing import Any

from latents.claims.table import draw, show
from latents.evaluation.tables import read_table, write_table
from latents.figures.style import add_footer, paper_style, save_pdf, save_png, scale_sentence
from latents.runtime.step import run


def draw_claims(
    *,
    claims: Path,
    pdf: Path,
    png: Path,
    csv: Path,
    caption: Path,
    scale_name: str,
    scale: dict[str, Any],
    paper: dict[str, Any],
    level: float,
    key: str,
) -> None:
    """Write the table as CSV, as a page, and as text with the reasons."""
    table = read_table(claims, ("claim", "paper", "statement", "expected", "p_holm", "verdict"))
    source = "; ".join(sorted(table["source"].unique()))
    scale_line = scale_sentence(f"This table, {scale_name} scale", scale, source)
    paper_line = scale_sentence("The paper", paper, "original data")
    title = "Be More Active!: which of its claims hold"
    method = f"Intervals cover {1 - 2 * level:.0%}, verdicts depend on one-sided p <= {level:g}."
    with paper_style():
        drawn = draw(table, title)
        add_footer(drawn, [method, scale_line, paper_line])
        save_pdf(drawn, pdf, title=title, key=key)
        save_png(drawn, png, key=key)
    write_table(csv, table)
    caption.write_text("\n".join((title, scale_line, paper_line, method, show(table), "")))


if __name__ == "__main__":
    run(draw_claims)
