"""Every kind of figure draws exactly the numbers of its table, read back from the axes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from latents.evaluation.representation import Representation, write_representation
from latents.figures.inputs import Inputs, choose_run
from latents.figures.plots import (
    code_histograms,
    correlation_count_bars,
    correlation_heatmap,
    correlation_over_training,
    diagrams,
    downstream_lines,
    score_over_passive,
    variable_counts,
)
from latents.figures.style import refuse_hidden

STRENGTHS = (1, 4, 16)
SEEDS = (0, 1)
COMMON = {"error_bars": False, "subject": "a cell", "strength_axis": "Beta"}


def variables(passive: dict[tuple[float, int], int], cell: str = "c", latents: int = 5):
    """That many passive latents in each (strength, seed), then one mixed, the rest active."""
    return pd.DataFrame(
        {
            "cell": cell,
            "strength": strength,
            "seed": seed,
            "source": "made up",
            "latent": latent,
            "type": "passive" if latent < count else "mixed" if latent == count else "active",
        }
        for (strength, seed), count in passive.items()
        for latent in range(latents)
    )


PASSIVE = {(1, 0): 0, (1, 1): 1, (4, 0): 1, (4, 1): 2, (16, 0): 3, (16, 1): 4}


def scores(metric: str = "m", cell: str = "c", combinations=("full",)) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "cell": cell,
            "strength": strength,
            "seed": seed,
            "source": "made up",
            "metric": metric,
            "representation": which,
            "combination": combination,
            "score": strength + seed + (0.5 if which == "mean" else 0) + 10 * place,
        }
        for place, combination in enumerate(combinations)
        for strength in STRENGTHS
        for seed in SEEDS
        for which in ("mean", "sampled")
    )


def test_stacked_bars_sum_to_the_number_of_latents():
    row = {**COMMON, "panels": [{"cell": "c", "title": "C", "axis": "Beta"}]}
    table = variable_counts.tabulate(Inputs(variables=variables(PASSIVE)), row)
    figure = variable_counts.draw(table, row)
    (axis,) = figure.axes
    tops: dict[int, float] = {}
    for container, kind in zip(axis.containers, ("passive", "mixed", "active"), strict=True):
        heights = [bar.get_height() for bar in container]
        assert heights == table[table["type"] == kind]["mean"].tolist()
        for place, bar in enumerate(container):
            assert bar.get_y() == pytest.approx(tops.get(place, 0))
            tops[place] = bar.get_y() + bar.get_height()
    assert list(tops.values()) == pytest.approx([5, 5, 5])
    assert table[table["type"] == "passive"]["mean"].tolist() == [0.5, 1.5, 3.5]
    assert [t.get_text() for t in axis.get_xticklabels()] == ["1", "4", "16"]
    assert "16: 3.5" in variable_counts.describe(table, row)
    figure.draw_without_rendering()
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["active", "mixed", "passive"]
    assert legend.get_window_extent().x0 > axis.get_window_extent().x1  # beside the bars


def test_curves_stand_over_bars_of_passive_variables():
    panel = {"cell": "c", "metric": "m", "axis": "M", "strength_axis": "Beta", "title": "C"}
    row = {**COMMON, "panels": [panel]}
    inputs = Inputs(scores=scores(), variables=variables(PASSIVE))
    table = score_over_passive.tabulate(inputs, row)
    figure = score_over_passive.draw(table, row)
    refuse_hidden(figure)
    refuse_hidden(score_over_passive.draw(table, {**row, "error_bars": True}))
    bars, curves = figure.axes
    assert [bar.get_height() for bar in bars.patches] == [0.5, 1.5, 3.5]
    assert [line.get_label() for line in curves.lines] == ["sampled", "mean"]
    assert curves.lines[0].get_ydata().tolist() == [1.5, 4.5, 16.5]
    assert curves.lines[1].get_ydata().tolist() == [2, 5, 17]
    assert (bars.get_ylabel(), curves.get_ylabel()) == ("Passive variables (averaged)", "M")
    assert "1: 0.5, 4: 0.5, 16: 0.5" in score_over_passive.describe(table, row)
    (legend,) = figure.legends
    named = [text.get_text() for text in legend.get_texts()]
    assert named == ["passive variables", "sampled", "mean"]
    (stacked,) = variable_counts.draw(
        variable_counts.tabulate(inputs, row), {**row, "panels": [panel]}
    ).axes
    assert {bar.get_facecolor()[:3] for bar in bars.patches} == {
        bar.get_facecolor()[:3] for bar in stacked.containers[0]
    }


def test_seeds_without_a_score_are_counted():
    table = scores()
    table.loc[(table.seed == 1) & (table.strength == 4), "score"] = np.nan
    panel = {"cell": "c", "metric": "m", "axis": "M", "strength_axis": "Beta", "title": "C"}
    inputs = Inputs(scores=table, variables=variables(PASSIVE))
    made = score_over_passive.tabulate(inputs, {**COMMON, "panels": [panel]})
    point = made[(made.series == "mean") & (made.strength == 4)].iloc[0]
    assert (point["mean"], point["seeds"]) == (4.5, 1)


def test_accuracies_of_every_combination_stand_beside_each_other():
    row = {**COMMON, "axis": "Accuracy"}
    row["panels"] = [{"representation": "mean", "title": "M"}]
    few = scores("d_accuracy_100", combinations=("full", "random"))
    many = scores("d_accuracy_1000", combinations=("full", "random"))
    table = downstream_lines.tabulate(Inputs(scores=pd.concat([few * 1, many])), row)
    assert set(table["examples"]) == {1000}
    (axis,) = downstream_lines.draw(table, row).axes
    lines = {line.get_label(): line for line in axis.lines}
    assert lines["all"].get_ydata().tolist() == [2, 5, 17]
    assert lines["none, a guess"].get_ydata().tolist() == [12, 15, 27]
    assert [text.get_text() for text in axis.get_xticklabels()] == ["1", "4", "16"]
    places = np.array([line.get_xdata() for line in lines.values() if len(line.get_xdata())])
    assert places.round().tolist() == [[0, 1, 2]] * len(places)  # nearest to their own strength
    assert (np.diff(places[:, 0]) > 0).all()  # where accuracies are equal too
    assert "all 17.000" in downstream_lines.describe(table, row)
    looks = {(line.get_color(), line.get_marker()) for line in axis.lines}
    assert len(looks) == len(axis.lines) == 8
    assert not any("_" in label for label in lines)


@pytest.fixture
def models(tmp_path: Path) -> Inputs:
    """Seed 0 has no mixed variable, seed 1 has all types: passive 0, mixed 1, active 2 and 3."""
    random = np.random.RandomState(0)
    runs = []
    for seed, middle in ((0, 0.01), (1, 0.5)):
        mean = random.randn(500, 4).astype(np.float32)
        mean[:, 0] *= 0.01
        mean[:, 3] = mean[:, 2]
        variance = np.tile([1.0, middle, 0.01, 0.01], (500, 1)).astype(np.float32)
        made = Representation(mean, variance, mean + 1, np.zeros((500, 1), int), np.arange(500))
        write_representation(tmp_path / f"{seed}.h5", made, {"source": "made up"})
        runs.append(({"cell": "c", "strength": 8, "seed": seed}, tmp_path / f"{seed}.h5"))
    return Inputs(representations=runs)


@pytest.mark.parametrize(
    ("types", "chosen", "why"),
    [
        (["am", "amp", "ap"], 1, "the lowest one with active and passive variables"),
        (["m", "mp", "p"], 1, "without active variables: none of 3 seeds has active and passive "),
        (["m"], 0, "the only one; it has no active and no passive variable."),
    ],
)
def test_the_choice_of_a_run_says_what_it_found(types, chosen, why):
    names = {"a": "active", "m": "mixed", "p": "passive"}
    kinds = [[names[letter] for letter in letters] for letters in types]
    found, sentence = choose_run([5, 6, 7][: len(kinds)], kinds, ("active", "passive"))
    assert found == chosen
    assert sentence.startswith(f"Shown is seed {5 + chosen}, {why}")


TYPES = [{"type": kind, "title": kind} for kind in ("passive", "mixed", "active")]


@pytest.mark.parametrize("which", ["mean", "sampled"])
def test_histograms_of_the_first_model_with_all_types(which, models):
    row = {**COMMON, "representation": which, "panels": TYPES}
    table = code_histograms.tabulate(models, row)
    assert set(table["seed"]) == {1}
    assert table.drop_duplicates("type")["latent"].tolist() == [0, 1, 2]
    axes = code_histograms.draw(table, row).axes
    for kind, axis in zip(("passive", "mixed", "active"), axes, strict=True):
        counts = [bar.get_height() for bar in axis.patches]
        assert len(counts) == 20
        assert sum(counts) == 500
        assert counts == table[table["type"] == kind]["count"].tolist()
    assert table["mean"].mean() == pytest.approx(1 if which == "sampled" else 0, abs=0.1)
    assert {axis.get_ylabel() for axis in axes} == {"Number of examples"}
    assert set(table["choice"]) == {
        "Shown is seed 1, the lowest one with passive, mixed and active variables."
    }


def test_a_missing_type_leaves_a_note_instead_of_a_histogram(models):
    only = Inputs(representations=models.representations[:1])
    row = {**COMMON, "representation": "mean", "panels": TYPES}
    table = code_histograms.tabulate(only, row)
    axes = code_histograms.draw(table, row).axes
    assert axes[1].texts[0].get_text() == "no mixed variable"
    assert set(table["choice"]) == {"Shown is seed 0, the only one; it has no mixed variable."}
    assert "No mixed variable." in code_histograms.describe(table, row)


def test_the_heat_map_shows_every_correlation(models):
    row = {**COMMON, "representation": "mean"}
    table = correlation_heatmap.tabulate(models, row)
    assert set(table["seed"]) == {0}  # the lowest seed with active and passive variables
    axis = correlation_heatmap.draw(table, row).axes[0]
    shown = np.asarray(axis.images[0].get_array())
    assert shown.ravel() == pytest.approx(table["correlation"].to_numpy())
    assert shown[2, 3] == pytest.approx(1)
    assert [t.get_text() for t in axis.get_xticklabels()] == ["0 p", "1 a", "2 a", "3 a"]
    assert "active" in correlation_heatmap.describe(table, row)


@pytest.fixture
def snapshots() -> Inputs:
    """Latent 0 (passive) correlates with 2 (active) at every step, 1 with 2 at the last one."""
    rows = [
        {
            "cell": "c",
            "strength": 8,
            "seed": seed,
            "step": step,
            "a": a,
            "b": b,
            "correlation": value,
        }
        for seed in (0, 1)
        for step in (10, 20, 30)
        for a, b, value in (
            (0, 1, 0.1),
            (0, 2, -0.6),
            (1, 2, 0.25 if step == 30 else 0.0),
        )
    ]
    types = variables({(8, 0): 0, (8, 1): 1}, latents=3)
    return Inputs(snapshots=pd.DataFrame(rows), variables=types)


def test_counts_are_of_snapshots_and_others(snapshots):
    table = correlation_count_bars.tabulate(snapshots, COMMON)
    assert set(table["seed"]) == {1}
    assert table["pairs"].tolist() == [3, 1, 4]
    assert table["snapshots_with_any"].tolist() == [3, 1, 3]
    (axis,) = correlation_count_bars.draw(table, COMMON).axes
    assert [bar.get_height() for bar in axis.patches] == [3, 1, 4]
    said = correlation_count_bars.describe(table, COMMON)
    assert "2 (active) 4, 0 (passive) 3, 1 (mixed) 1" in said


def test_without_an_active_latent_another_one_is_shown_and_named(snapshots):
    types = snapshots.variables.assign(type="mixed")
    table = correlation_over_training.tabulate(replace(snapshots, variables=types), COMMON)
    assert set(table["choice"]) == {
        "Shown is seed 0, without active and passive variables: none of 2 seeds has active and "
        "passive ones, and this is the lowest with the most of these types. Latent 0 (mixed) is "
        "compared, as none is active."
    }
    (axis,) = correlation_over_training.draw(table, COMMON).axes
    assert axis.get_ylabel() == "Correlation with latent 0 (mixed)"
    one, other = axis.lines[:2]
    assert one.get_color() == other.get_color()
    assert one.get_marker() != other.get_marker()


def test_lines_follow_one_active_latent(snapshots):
    table = correlation_over_training.tabulate(snapshots, COMMON)
    assert set(table["latent"]) == {2}
    assert set(table["choice"]) == {
        "Shown is seed 1, the lowest one with active and passive variables. Latent 2 (active) is "
        "compared, its lowest active one."
    }
    (axis,) = correlation_over_training.draw(table, COMMON).axes
    lines = {line.get_label(): line for line in axis.lines[:2]}
    assert lines["0 passive"].get_ydata().tolist() == [-0.6] * 3
    assert lines["1 mixed"].get_ydata().tolist() == [0, 0, 0.25]
    assert lines["1 mixed"].get_xdata().tolist() == [10, 20, 30]
    assert "passive 0.600" in correlation_over_training.describe(table, COMMON)


@pytest.mark.parametrize("diagram", ["vae", "representations", "variable_sets"])
def test_diagrams_name_what_they_draw(diagram):
    row = {**COMMON, "diagram": diagram, "statement": "So it is."}
    table = diagrams.tabulate(Inputs(), row)
    (axis,) = diagrams.draw(table, row).axes
    drawn = {text.get_text().replace("\n", " ") for text in axis.texts}
    assert set(table["label"]) <= drawn
    assert diagrams.describe(table, row) == "So it is."
