"""The figure draws the numbers of its table, and says of them what is true."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from latents.figures.inputs import Inputs
from latents.figures.plots import truncated_scores as plot
from latents.figures.style import (
    CURVES,
    PAGE,
    add_footer,
    panel_axes,
    paper_style,
    refuse_hidden,
    save_pdf,
)
from latents.runtime.errors import Problem

ROW = {
    "panels": [
        {"combination": "full", "title": "All"},
        {"combination": "active_mixed", "title": "Rest"},
        {"combination": "active", "title": "Active"},
    ],
    "metrics": ["a metric"],
    "axis": "Averaged MI",
    "strength_axis": "Lambda od",
    "error_bars": False,
}


def scores(gaps: dict[str, float], seeds: int = 2, missing: tuple = ()) -> pd.DataFrame:
    """Sampled scores of 0.1 + seed/100, mean scores above them by the panel's gap."""
    rows = [
        {
            "cell": "a cell",
            "metric": "a metric",
            "strength": strength,
            "seed": seed,
            "combination": combination,
            "representation": representation,
            "score": np.nan
            if (combination, strength, seed) in missing
            else 0.1 + seed / 100 + (gap if representation == "mean" else 0),
        }
        for combination, gap in gaps.items()
        for strength in (1, 5, 10, 50)
        for seed in range(seeds)
        for representation in ("mean", "sampled")
    ]
    return pd.DataFrame(rows)


EFFECT = {"full": 0.08, "active_mixed": 0.02, "active": 0.01}


def test_points_are_means_over_seeds_with_their_number():
    table = plot.tabulate(Inputs(scores=scores(EFFECT, seeds=3)), ROW)
    point = table[(table.combination == "full") & (table.strength == 5)].set_index("representation")
    assert point.loc["mean", "mean"] == pytest.approx(0.19)
    assert point.loc["sampled", "mean"] == pytest.approx(0.11)
    assert point.loc["mean", "standard_error"] == pytest.approx(0.01 / np.sqrt(3))
    assert point.loc["mean", "seeds"] == 3
    assert point.loc["mean", "gap"] == pytest.approx(0.08)


def test_gaps_compare_the_same_seeds_in_every_panel():
    table = scores(EFFECT, missing=(("active", 10, 1),))
    table.loc[(table.seed == 1) & (table.representation == "mean"), "score"] += 1
    points = plot.tabulate(Inputs(scores=table), ROW)
    at_ten = points[points.strength == 10].drop_duplicates("combination").set_index("combination")
    assert at_ten["gap"].to_dict() == pytest.approx(EFFECT)
    assert at_ten["gap_seeds"].tolist() == [1, 1, 1]
    assert at_ten["seeds"].to_dict() == {"full": 2, "active_mixed": 2, "active": 1}


@pytest.mark.parametrize(
    ("gaps", "verdict"),
    [
        (EFFECT, "yes"),
        ({"full": 0.08, "active_mixed": 0.09, "active": 0.01}, "no"),
        ({"full": 0.08, "active_mixed": 0.02, "active": -0.1}, "no"),
    ],
)
def test_verdict_is_read_off_the_gaps(gaps, verdict):
    said = plot.describe(plot.tabulate(Inputs(scores=scores(gaps)), ROW), ROW)
    assert f"smaller than that of (a): {verdict}." in said


def test_verdict_needs_a_gap_at_each_of_the_largest_strengths():
    lost = tuple(("active", 50, seed) for seed in range(2))
    said = plot.describe(plot.tabulate(Inputs(scores=scores(EFFECT, missing=lost)), ROW), ROW)
    assert "too few seeds to say" in said
    assert "Lambda od 50: no seed has all these scores" in said


def test_the_smallest_strength_does_not_decide():
    table = scores(EFFECT)
    table.loc[(table.strength == 1) & (table.combination == "active"), "score"] *= 5
    assert ": yes." in plot.describe(plot.tabulate(Inputs(scores=table), ROW), ROW)


def test_cells_are_never_averaged_together():
    both = pd.concat([scores(EFFECT), scores(EFFECT).assign(cell="another")])
    with pytest.raises(Problem, match="one cell"):
        plot.tabulate(Inputs(scores=both), ROW)


def test_each_metric_has_its_own_panels_and_verdict():
    both = pd.concat([scores(EFFECT), (scores(EFFECT)).assign(metric="other", score=1.0)])
    panels = [
        {"combination": "full", "metric": metric, "axis": metric, "title": metric}
        for metric in ("a metric", "other")
    ]
    panels += [{**panel, "combination": "active"} for panel in panels]
    row = {**ROW, "metrics": ["a metric", "other"], "panels": panels}
    table = plot.tabulate(Inputs(scores=both), row)
    assert table[table.panel.isin(["b", "d"])]["mean"].tolist() == [1.0] * 16
    axes = plot.draw(table, row).axes
    assert [axis.get_ylabel() for axis in axes] == ["a metric", "other", "a metric", "other"]
    places = [axis.get_subplotspec() for axis in axes]
    assert [(p.rowspan.start, p.colspan.start) for p in places] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    heights = [axis.get_ylim() for axis in axes]
    assert heights[0] == heights[2] != heights[1] == heights[3]
    said = plot.describe(table, row)
    assert "of (c) smaller than that of (a): yes." in said
    assert "of (d) smaller than that of (b): no." in said


def test_error_bars_are_drawn_only_where_asked_for():
    table = plot.tabulate(Inputs(scores=scores(EFFECT)), ROW)
    assert not plot.draw(table, ROW).axes[0].collections
    assert plot.draw(table, {**ROW, "error_bars": True}).axes[0].collections


def test_one_panel_has_no_verdict():
    one = {**ROW, "panels": ROW["panels"][:1]}
    assert "yes" not in plot.describe(plot.tabulate(Inputs(scores=scores(EFFECT)), one), one)


def test_axes_hold_exactly_the_numbers_of_the_table():
    table = plot.tabulate(Inputs(scores=scores(EFFECT)), ROW)
    axes = plot.draw(table, ROW).axes
    assert [a.get_title() for a in axes] == ["(a) All", "(b) Rest", "(c) Active"]
    for panel, axis in zip(ROW["panels"], axes, strict=True):
        for line, representation in zip(axis.lines, CURVES, strict=True):
            mine = (table.combination == panel["combination"]) & (
                table.representation == representation
            )
            assert line.get_label() == representation
            assert line.get_ydata().tolist() == table[mine]["mean"].tolist()
            assert list(line.get_xdata()) == [0, 1, 2, 3]  # categorical, equidistant
        assert [t.get_text() for t in axis.get_xticklabels()] == ["1", "5", "10", "50"]
        assert axis.get_xlabel() == "Lambda od"
    assert axes[0].get_ylabel() == "Averaged MI"


def test_every_panel_shows_all_of_its_numbers():
    """Panels share their scale, and the last one may have the largest numbers."""
    table = plot.tabulate(Inputs(scores=scores(EFFECT)), ROW)
    table.loc[table["combination"] == "active", "mean"] += 7
    figure = plot.draw(table, ROW)
    refuse_hidden(figure)
    assert figure.axes[0].get_ylim() == figure.axes[2].get_ylim()
    figure.axes[2].set_ylim(top=1)
    with pytest.raises(Problem, match="are shown, but there are others"):
        refuse_hidden(figure)


def test_points_that_rest_on_fewer_seeds_say_so():
    table = plot.tabulate(Inputs(scores=scores(EFFECT, missing=(("active", 10, 1),))), ROW)
    whole, _, active = plot.draw(table, ROW).axes
    assert [t.get_text() for t in active.get_xticklabels()] == ["1", "5", "10\n1/2", "50"]
    assert active.get_xlabel() == "Lambda od; seeds with a score"
    assert whole.get_xlabel() == "Lambda od"


def test_a_panel_without_scores_says_so():
    lost = tuple(("active", s, seed) for s in (1, 5, 10, 50) for seed in range(2))
    axis = plot.draw(plot.tabulate(Inputs(scores=scores(EFFECT, missing=lost)), ROW), ROW).axes[2]
    assert "no run has two or more" in axis.texts[0].get_text()


@pytest.mark.parametrize("panels", [1, 2, 3, 4, 6])
def test_footers_are_readable_and_inside_the_figure_on_a_page(panels):
    with paper_style():
        figure, axes = panel_axes(panels, width=1.1)
        add_footer(figure, ["This figure: 50 seeds × 300,000 steps, a conv network, Adam. " * 4])
        figure.draw_without_rendering()
        (footer,) = figure.texts
        box = footer.get_window_extent()
    width = figure.get_figwidth()
    assert len(axes) == panels
    assert footer.get_fontsize() * min(1, PAGE / width) >= 6
    assert box.x1 <= 1.02 * width * figure.dpi


def test_the_same_figure_is_the_same_file(tmp_path: Path):
    table = plot.tabulate(Inputs(scores=scores(EFFECT)), ROW)
    for name in ("a.pdf", "b.pdf"):
        with paper_style():
            figure = plot.draw(table, ROW)
            add_footer(figure, ["a footer"])
            save_pdf(figure, tmp_path / name, title="t", key="0123")
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
    assert b"record 0123" in (tmp_path / "a.pdf").read_bytes()
