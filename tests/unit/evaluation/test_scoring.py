"""Rows of the score tables, and representations on disk."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from latents.evaluation.evaluation_sets import Evaluation, Pairs, Split, Votes
from latents.evaluation.representation import (
    Representation,
    read_representation,
    write_representation,
)
from latents.evaluation.scoring import score_evaluations, score_representation
from latents.runtime.errors import Problem

TYPES = ["active", "passive", "active", "mixed"]


@pytest.fixture
def representation() -> Representation:
    random = np.random.default_rng(0)
    mean, sampled = random.normal(size=(2, 50, 4)).astype(np.float32)
    return Representation(mean, np.ones_like(mean), sampled, np.zeros((50, 2), int), np.arange(50))


def sum_of_products(minimum: int) -> SimpleNamespace:
    """A metric that is easily checked."""
    return SimpleNamespace(
        TAKES="codes",
        MINIMUM_VARIABLES=minimum,
        summarise=lambda codes: codes.T @ codes,
        score_matrix=lambda matrix: float(matrix.sum()),
    )


def rows_of(representation, metric) -> list[dict]:
    return score_representation(representation, TYPES, name="m", metric=metric, pairs="any")


def test_each_combination_is_scored_on_its_own_columns(representation):
    rows = rows_of(representation, sum_of_products(1))
    found = {(r["representation"], r["combination"]): (r["variables"], r["score"]) for r in rows}
    assert len(rows) == 2 * 7
    for name, columns in {"active": [0, 2], "active_mixed": [0, 2, 3], "passive": [1]}.items():
        for kind in ("mean", "sampled"):
            codes = getattr(representation, kind)[:, columns]
            expected = float((codes.T @ codes).sum())
            assert found[kind, name] == (len(columns), pytest.approx(expected, rel=1e-5))


def test_too_few_variables_leave_an_empty_score_not_a_missing_row(representation):
    rows = rows_of(representation, sum_of_products(2))
    empty = {r["combination"] for r in rows if np.isnan(r["score"])}
    assert empty == {"passive", "mixed"}
    assert len(rows) == 2 * 7


def test_factors_are_passed_to_metrics_that_take_them(representation):
    metric = SimpleNamespace(
        TAKES="labelled",
        MINIMUM_VARIABLES=1,
        score=lambda codes, factors: {"codes": codes.shape[1], "factors": factors.shape[1]},
    )
    rows = rows_of(representation, metric)
    assert {r["metric"] for r in rows} == {"m_codes", "m_factors"}
    assert all(r["score"] == (2 if r["metric"] == "m_factors" else r["variables"]) for r in rows)


def split_of(train: int, value: float = 0.0) -> Split:
    codes, factors = np.full((train, 4), value), np.arange(train)[:, None] % 2
    return Split(codes, factors, np.zeros((40, 4)), np.arange(40)[:, None] % 2)


@pytest.fixture
def evaluations() -> dict[str, Evaluation]:
    labels = np.zeros(3, int)
    pairs = Pairs(np.ones((3, 4)), labels, np.ones((3, 4)), labels)
    votes = Votes(np.ones(4), np.ones((3, 4)), labels, np.ones((3, 4)), labels)
    splits = {100: split_of(100), 10_000: split_of(10_000)}
    return {name: Evaluation(splits, pairs, votes) for name in ("mean", "sampled")}


def score_them(evaluations, **metric) -> list[dict]:
    module = SimpleNamespace(MINIMUM_VARIABLES=1, **metric)
    given = {"name": "m", "metric": module, "pairs": "any", "seed": 7, "trees": 3}
    return score_evaluations(evaluations, TYPES, **given)


def test_only_the_full_code_is_scored_where_more_would_cost_too_much(evaluations):
    seen = []

    def score(split, *, seed, trees):
        seen.append((len(split.train_codes), seed, trees))
        return float(split.train_codes.shape[1])

    rows = score_them(evaluations, TAKES="split", EVERY_COMBINATION=False, score=score)
    assert [(r["combination"], r["score"]) for r in rows] == [("full", 4.0)] * 2
    assert seen == [(10_000, 7, 3)] * 2


@pytest.mark.parametrize("takes", ["pairs", "votes"])
def test_pairs_and_votes_keep_the_columns_of_a_combination(takes, evaluations):
    def score(drawn):
        return float((drawn.train_features if takes == "pairs" else drawn.train_variances).shape[1])

    rows = score_them(evaluations, TAKES=takes, score=score)
    assert len(rows) == 2 * 7
    assert all(r["score"] == r["variables"] for r in rows)


def test_a_downstream_task_has_every_size_its_efficiency_and_a_guess(evaluations):
    def score(split, *, seed, trees):
        return {"accuracy": len(split.train_codes) / 20_000, "missing_classes": 0.0}

    rows = score_them(evaluations, TAKES="split", EVERY_SIZE=True, score=score)
    mine = {(r["metric"], r["combination"]): r["score"] for r in rows}
    assert mine["m_accuracy_100", "active"] == 0.005
    assert mine["m_accuracy_10000", "full"] == 0.5
    assert mine["m_efficiency", "full"] == pytest.approx(0.01)
    assert mine["m_accuracy_100", "random"] == pytest.approx(0.5, abs=0.3)
    assert ("m_missing_classes_100", "passive") in mine


def test_the_same_variables_are_scored_once(evaluations):
    """`active_passive` of a code without mixed variables is the full one."""
    calls = []

    def score(pairs):
        calls.append(pairs)
        return 1.0

    module = SimpleNamespace(TAKES="pairs", MINIMUM_VARIABLES=1, score=score)
    given = {"name": "m", "metric": module, "pairs": "any", "seed": 0, "trees": 1}
    score_evaluations(evaluations, ["active", "active", "passive", "passive"], **given)
    assert len(calls) == 2 * 3  # full, active, passive; all else is one of them or empty


def test_representations_come_back_as_written_with_stable_bytes(representation, tmp_path: Path):
    for name in ("a.h5", "b.h5"):
        write_representation(tmp_path / name, representation, {"source": "made up"})
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()
    back, description = read_representation(tmp_path / "a.h5")
    assert description == {"source": "made up"}
    assert all((getattr(back, k) == getattr(representation, k)).all() for k in ("mean", "factors"))


@pytest.mark.parametrize("keep", [0, 100, 2000])
def test_a_truncated_representation_is_refused(keep, representation, tmp_path: Path):
    path = tmp_path / "cut.h5"
    write_representation(path, representation, {})
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(Problem, match="not a readable representation"):
        read_representation(path)
