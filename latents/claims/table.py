"""Tables of findings for people: one line per claim, as text and as a page."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from latents.claims.finding import FAILS, HOLDS, UNCLEAR

COLOURS = {HOLDS: "#1a7f37", FAILS: "#b42318", UNCLEAR: "0.45"}
LINE = 0.17  # inches
SIZE = 7.0
# Position of each column, in inches, and its alignment.
COLUMNS = {
    "paper": (0.0, "left"),
    "statement": (1.05, "left"),
    "effect": (6.25, "right"),
    "interval": (7.45, "right"),
    "runs": (7.85, "right"),
    "p": (8.4, "right"),
    "Holm": (8.95, "right"),
    "verdict": (9.1, "left"),
}
WIDTH = 10.6


def show(table: pd.DataFrame) -> str:
    """Return the counts of verdicts, then every claim with its reason."""
    lines = [count_verdicts(table)]
    for row in table.itertuples():
        words = cells(row)
        numbers = f"{words['effect']} {words['interval']}, p {words['p']}, Holm {words['Holm']}"
        lines.append(f"{row.paper}: {row.statement}: {words['verdict'].upper()}")
        lines.append(f"    {row.claim}: {numbers}; {row.reason}")
    return "\n".join(lines)


def count_verdicts(table: pd.DataFrame) -> str:
    """Return `12 hold, 3 do not hold, 2 have too little evidence`, and how many should hold."""
    found = table["verdict"].value_counts()
    phrases = {HOLDS: "hold", FAILS: "do not hold", UNCLEAR: "have too little evidence"}
    counts = ", ".join(f"{found.get(verdict, 0)} {words}" for verdict, words in phrases.items())
    expected = int(table["expected"].sum())
    return (
        f"{len(table)} claims: {counts}; {expected} of them can be expected to hold at this scale."
    )


def cells(row: Any) -> dict[str, str]:
    """Return a line's texts by column; verdicts not expected at this scale are in brackets."""
    return {
        "paper": row.paper,
        "statement": row.statement,
        "effect": number(row.effect),
        "interval": f"[{number(row.low)}, {number(row.high)}]" if pd.notna(row.low) else "–",
        "runs": str(row.units),
        "p": probability(row.p),
        "Holm": probability(row.p_holm),
        "verdict": row.verdict if row.expected else f"({row.verdict})",
    }


def number(value: float) -> str:
    """Return three significant digits, or a dash for no number."""
    return "–" if pd.isna(value) else f"{value:.3g}"


def probability(value: float) -> str:
    """Return a probability in two significant digits, or a dash for no number."""
    if pd.isna(value):
        return "–"
    return "<0.0001" if value < 0.0001 else f"{value:.2g}"


def draw(table: pd.DataFrame, title: str) -> Figure:
    """Draw the table with coloured verdicts; numbers, as effects have different units."""
    height = (len(table) + 4) * LINE
    figure = Figure(figsize=(WIDTH, height))
    figure.text(0, 1 - 0.5 * LINE / height, title, fontsize=10, va="center")
    summary = f"{count_verdicts(table)} Verdicts in brackets: not expected before a larger scale."
    figure.text(0, 1 - 1.7 * LINE / height, summary, fontsize=SIZE, va="center")
    _line(figure, 1 - 3 * LINE / height, {name: name for name in COLUMNS}, weight="bold")
    for index, row in enumerate(table.itertuples()):
        place = 1 - (index + 4) * LINE / height
        _line(figure, place, cells(row), colour=COLOURS[row.verdict])
    return figure


def _line(
    figure: Figure,
    place: float,
    words: dict[str, str],
    colour: str = "black",
    weight: str = "normal",
) -> None:
    for name, (start, side) in COLUMNS.items():
        figure.text(
            start / WIDTH,
            place,
            words[name],
            fontsize=SIZE,
            va="center",
            ha=side,
            color=colour if name == "verdict" else "black",
            weight=weight,
        )
