"""Reports on representations made elsewhere: disjoint sets, and advice that follows the numbers."""

import numpy as np
import pandas as pd
import pytest

from latents.evaluation.diagnosis import advise, evaluate_own, score_own
from latents.evaluation.representation import Representation

TYPES = ["active", "passive", "active", "passive"]


@pytest.fixture(scope="module")
def given() -> Representation:
    """Two codes that are the factors, two that are noise; the example's number in the first."""
    random = np.random.RandomState(0)
    factors = random.randint(2, size=(600, 2))
    noise, nothing = 0.01 * random.randn(600, 1), np.zeros((600, 1))
    mean = np.hstack([factors[:, :1], noise, factors[:, 1:], nothing])
    mean[:, 0] += np.arange(600) * 1e-4
    variance = np.tile([1e-6, 1.0, 1e-6, 1.0], (600, 1))
    sampled = mean + np.sqrt(variance) * random.randn(600, 4)
    floats = (array.astype(np.float32) for array in (mean, variance, sampled))
    return Representation(*floats, factors=factors, indices=np.arange(600))


def test_no_example_is_both_learned_from_and_tested_on(given):
    split = evaluate_own(given)["mean"].largest
    train, test = (np.unique(codes[:, 0]) for codes in (split.train_codes, split.test_codes))
    assert not set(train) & set(test)
    assert (len(split.train_codes), len(split.test_codes)) == (400, 200)


def test_sizes_are_those_that_fit(given):
    assert list(evaluate_own(given)["mean"].splits) == [10, 100, 400]


def test_all_metrics_that_the_fields_allow(given):
    names = ["total_correlation", "mutual_information_gap", "beta_vae_score", "chen_mig"]
    names.append("downstream_logistic")
    table = score_own(given, TYPES, metrics=names, pairs="any", trees=2)
    found = set(table["metric"])
    assert {"chen_mig", "beta_vae_score_test", "downstream_logistic_accuracy_400"} <= found
    gap = table.query("metric == 'chen_mig'").squeeze()
    assert (gap["representation"], gap["combination"], gap["variables"]) == ("sampled", "full", 4)
    assert gap["score"] == pytest.approx(1, abs=0.1)
    accuracy = table.query("metric == 'downstream_logistic_accuracy_400'")
    accuracy = accuracy.set_index(["representation", "combination"])["score"]
    assert accuracy["mean", "active"] > 0.9
    assert accuracy["sampled", "passive"] < 0.65
    unlabelled = Representation(**{**vars(given), "factors": given.factors[:, :0]})
    alone = score_own(unlabelled, TYPES, metrics=names, pairs="any", trees=2)
    assert set(alone["metric"]) == {"total_correlation"}


def scores(**values: float) -> pd.DataFrame:
    rows = [
        {"metric": metric, "representation": which, "combination": combination, "score": value}
        for metric, value in values.items()
        for which in ("mean", "sampled")
        for combination in ("full", "active_mixed")
    ]
    return pd.DataFrame(rows)


def test_advice_names_the_types_and_numbers():
    said = advise(
        TYPES, scores(total_correlation=0.5, downstream_logistic_accuracy_100=0.25), ["x"]
    )
    assert "2 active (0, 2); 0 mixed; 2 passive (1, 3)" in said
    assert "Total correlation: mean 0.5, without passive latents 0.5" in said
    assert "logistic regression on 100 examples: mean 0.25" in said
    assert "drop the passive ones" in said
    assert said.endswith("Note: x.")


@pytest.mark.parametrize(
    ("types", "words"),
    [(["active"] * 3, "nothing to drop"), (["passive"] * 3, "collapsed to the prior")],
)
def test_advice_at_the_extremes(types, words):
    assert words in advise(types, scores(total_correlation=0.5), [])
