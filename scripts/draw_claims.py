"""Draw all claims of a scale on one page, one line each."""

from pathlib import Path
from typing import Any

from latents.claim_table import draw, show
from latents.step import run
from latents.style import add_footer, paper_style, save_pdf, save_png, scale_sentence
from latents.tables import read_table, write_table


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
    """The table as it is, as a picture, and as text with the reasons."""
    table = read_table(claims, ("claim", "paper", "statement", "expected", "p_holm", "verdict"))
    source = "; ".join(sorted(table["source"].unique()))
    made = scale_sentence(f"This table, {scale_name} scale", scale, source)
    published = scale_sentence("The paper", paper, "original data")
    title = "Be More Active!: which of its claims hold"
    how = f"Intervals cover {1 - 2 * level:.0%}, verdicts rest on one-sided p <= {level:g}."
    with paper_style():
        drawn = draw(table, title)
        add_footer(drawn, [how, made, published])
        save_pdf(drawn, pdf, title=title, key=key)
        save_png(drawn, png, key=key)
    write_table(csv, table)
    caption.write_text("\n".join((title, made, published, how, show(table), "")))


if __name__ == "__main__":
    run(draw_claims)
