"""Numbers of runs, read from tables made by hand."""

import numpy as np
import pandas as pd
import pytest

from latents.claims.terms import correlation_between, latents, score, times_correlated, variables


def test_scores_of_one_representation_and_combination():
    table = pd.DataFrame(
        {
            "strength": [1, 1, 1, 2],
            "seed": 0,
            "metric": "total_correlation",
            "representation": ["mean", "sampled", "mean", "mean"],
            "combination": ["full", "full", "active", "full"],
            "score": [1.0, 2, 3, np.nan],
        }
    )
    options = {"metric": "total_correlation", "combination": "full"}
    found = score.read(table, representation="mean", **options)
    assert found.to_dict() == pytest.approx({(1, 0): 1.0, (2, 0): np.nan}, nan_ok=True)
    lacking = score.read(table, representation="sampled", **options)
    assert lacking.isna().tolist() == [False, True]


def test_downstream_scores_are_those_of_the_most_examples():
    names = ["d_accuracy_1000", "d_accuracy_200", "d_efficiency"]
    table = pd.DataFrame({"strength": 1, "seed": 0, "metric": names, "score": [0.1, 0.2, 0.3]})
    table = table.assign(representation="mean", combination="random")
    found = score.read(table, metric="d", representation="mean", combination="random")
    assert found.tolist() == [0.1]


TYPED = pd.DataFrame(
    {
        "strength": 8,
        "seed": [0] * 4 + [1] * 4,
        "latent": [0, 1, 2, 3] * 2,
        "type": ["active", "active", "passive", "passive"] + ["active"] * 4,
        "x": [1.0, 3, -5, 2, 0, 0, 0, 0],
    }
)


def test_none_of_a_type_is_zero_variables_but_no_number():
    assert variables.read(TYPED, types=["passive"]).tolist() == [2, 0]
    assert variables.read(TYPED, types=["active", "passive"]).tolist() == [4, 4]
    found = latents.read(TYPED, column="x", types=["passive"], take="mean")
    assert found.tolist() == pytest.approx([-1.5, np.nan], nan_ok=True)


@pytest.mark.parametrize(
    ("take", "found"), [("mean", -1.5), ("least", -5), ("most", 2), ("farthest", 5), ("count", 2)]
)
def test_what_is_taken_of_several_latents(take, found):
    taken = latents.read(TYPED, column="x", types=["passive"], take=take)
    assert taken.loc[(8, 0)] == found


def snapshots() -> pd.DataFrame:
    """Of seed 0: latents 1 and 2 are correlated at both steps, 0 and 3 at the first."""
    strong = {(10, 1, 2): -0.8, (20, 1, 2): 0.6, (10, 0, 3): 0.3, (20, 0, 1): 0.1}
    return pd.DataFrame(
        [
            {"strength": 8, "seed": 0, "step": s, "a": a, "b": b, "correlation": r}
            for s in (10, 20)
            for a in range(4)
            for b in range(a + 1, 4)
            for r in [strong.get((s, a, b), 0.0)]
        ]
    )


@pytest.mark.parametrize(
    ("types", "take", "times"),
    [(["passive"], "most", 2), (["passive"], "least", 1), (["active"], "mean", 1.5)],
)
def test_times_correlated(types, take, times):
    options = {"threshold": 0.2, "types": types, "take": take}
    assert times_correlated.read(snapshots(), TYPED, **options).to_dict() == {(8, 0): times}


def test_a_latent_that_is_never_correlated_counts_as_zero():
    options = {"threshold": 0.7, "types": ["active"], "take": "least"}
    assert times_correlated.read(snapshots(), TYPED, **options).tolist() == [0]


def test_correlation_between_types():
    """Active are 0 and 1, passive 2 and 3: four pairs between, one within each."""
    found = correlation_between.read(snapshots(), TYPED, between=["active", "passive"], after=0)
    assert found.tolist() == pytest.approx([(0.8 + 0.6 + 0.3) / 8])
    last = correlation_between.read(snapshots(), TYPED, between=["active", "passive"], after=1)
    assert last.tolist() == pytest.approx([0.6 / 4])
    within = correlation_between.read(snapshots(), TYPED, between=["active", "active"], after=1)
    assert within.tolist() == pytest.approx([0.1])
    none = correlation_between.read(snapshots(), TYPED, between=["active", "mixed"], after=0)
    assert none.isna().tolist() == [True]
