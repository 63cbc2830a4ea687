"""Rows of the score tables, and representations on disk."""

from pathlib import Path

import numpy as np
import pytest

from latents.problem import Problem
from latents.representation import Representation, read_representation, write_representation
from latents.scoring import score_combinations

TYPES = ["active", "passive", "active", "mixed"]


@pytest.fixture
def representation() -> Representation:
    random = np.random.default_rng(0)
    mean, sampled = random.normal(size=(2, 50, 4)).astype(np.float32)
    return Representation(mean, np.ones_like(mean), sampled, np.zeros((50, 2), int), np.arange(50))


def test_each_combination_is_scored_on_its_own_columns(representation):
    rows = score_combinations(
        representation, TYPES, metric=lambda codes: float(codes.sum()), minimum=1, pairs="any"
    )
    found = {(r["representation"], r["combination"]): (r["variables"], r["score"]) for r in rows}
    assert len(rows) == 2 * 7
    for name, columns in {"active": [0, 2], "active_mixed": [0, 2, 3], "passive": [1]}.items():
        for kind in ("mean", "sampled"):
            codes = getattr(representation, kind)[:, columns]
            assert found[kind, name] == (len(columns), pytest.approx(float(codes.sum())))


def test_too_few_variables_leave_an_empty_score_not_a_missing_row(representation):
    rows = score_combinations(
        representation, TYPES, metric=lambda codes: 1.0, minimum=2, pairs="any"
    )
    empty = {r["combination"] for r in rows if np.isnan(r["score"])}
    assert empty == {"passive", "mixed"}
    assert len(rows) == 2 * 7


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
