"""The script of figures prints under a figure, and in its caption, what is true of it."""

import runpy
from pathlib import Path

import pandas as pd
import pytest

# Not imported: scripts that stay loaded would count as code that later jobs of this process use.
SCRIPT = Path(__file__).parents[3] / "scripts" / "draw_figure.py"
SCALE = {
    "seeds": 2,
    "steps": 40,
    "network": "mlp",
    "width": 1,
    "batch_size": 32,
    "learning_rate": 1e-3,
    "examples": 1000,
}
PAPER = {**SCALE, "seeds": 50, "steps": 300_000}
ROW = {
    "title": "During training",
    "plot": "correlation_over_training",
    "cells": ["c"],
    "subject": "a cell",
    "strength_axis": "Beta",
    "error_bars": False,
    "panels": [],
    "note": "A note.",
}


def drawn(folder: Path, types: list[str], row: dict, paper: dict) -> tuple[list[str], pd.DataFrame]:
    """Return the lines of the caption, and the table."""
    run = {"cell": "c", "strength": 8, "seed": 0}
    variables = [
        {**run, "source": "made up", "latent": latent, "type": kind}
        for latent, kind in enumerate(types)
    ]
    pairs = [{**run, "step": step, "a": 0, "b": 1, "correlation": 0.5} for step in (1, 2)]
    pd.DataFrame(variables).to_csv(folder / "variables.csv", index=False)
    pd.DataFrame(pairs).to_csv(folder / "snapshots.csv", index=False)
    runpy.run_path(str(SCRIPT))["draw_figure"](
        scores=[],
        variables=[folder / "variables.csv"],
        snapshots=[folder / "snapshots.csv"],
        representations=[],
        pdf=folder / "f.pdf",
        png=folder / "f.png",
        csv=folder / "f.csv",
        caption=folder / "f.txt",
        figure="f",
        row=row,
        runs=[],
        tolerance=0.1,
        scale_name="smoke",
        scale=SCALE,
        paper=paper,
        key="0123",
    )
    return (folder / "f.txt").read_text().splitlines(), pd.read_csv(folder / "f.csv")


@pytest.mark.parametrize(
    ("types", "said"),
    [
        (["passive", "active"], "Latent 1 (active) is compared, its lowest active one."),
        (["mixed", "mixed"], "Latent 0 (mixed) is compared, as none is active."),
    ],
)
def test_the_caption_says_which_latent_was_found(types, said, tmp_path):
    (title, own, paper, choice, *rest), table = drawn(
        tmp_path, types, {**ROW, "paper": "A paper, Figure 1"}, PAPER
    )
    assert title == "A paper, Figure 1: During training, a cell"
    assert own.endswith("made up. Below the paper's scale.")
    assert paper.startswith("The paper: 50 seeds × 300,000 steps")
    assert choice.startswith("Shown is seed 0, ")
    assert choice.endswith(said)
    assert rest[0] == "A note."
    assert "choice" not in table


def test_a_figure_without_a_paper_says_nothing_about_one(tmp_path):
    lines, _ = drawn(tmp_path, ["passive", "active"], ROW, {})
    assert lines[0] == "During training, a cell"
    assert not [line for line in lines if "paper" in line.lower()]
