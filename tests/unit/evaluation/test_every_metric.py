"""What every module of latents/evaluation/metrics has in common, whatever it takes."""

import math
import subprocess
import sys
from dataclasses import fields, replace

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from tests.conftest import ROOT
from tests.unit.evaluation import encoders
from tests.unit.evaluation.encoders import MODULES, names, score, score_split

pytestmark = pytest.mark.filterwarnings("error")

every_metric = pytest.mark.parametrize("metric", MODULES)
# Downstream tasks are what they are: a factor that never changes is an easy one.
DOWNSTREAM = [name for name in MODULES if name.startswith("downstream")]
with_factors = pytest.mark.parametrize(
    "metric",
    [
        name
        for takes in ("labelled", "split", "posteriors")
        for name in names(takes=takes)
        if name not in DOWNSTREAM
    ],
)

# Lower for a code that mixes the factors; the others say how much is known, not how it is kept.
DISENTANGLEMENT = {
    "beta_vae_score": "test",
    "chen_mig": "score",
    "dci": "disentanglement",
    "dci_lightgbm": "disentanglement",
    "factor_vae_score": "test",
    "irs": "score",
    "modularity_explicitness": "modularity",
    "mutual_information_gap": "score",
    "sap_score": "score",
    "sap_score_continuous": "score",
}
# Of a perfect code. On one ordered code, linear machines single out its two ends only: SAP is low.
PERFECT = dict.fromkeys(DISENTANGLEMENT, 0.9) | {"sap_score": 0.2}


@every_metric
def test_it_says_what_it_takes_what_it_costs_and_how_many_variables_it_needs(metric):
    module = MODULES[metric]
    assert module.TAKES in ("codes", "labelled", "split", "pairs", "votes", "posteriors")
    assert module.COST in ("cheap", "costly", "encoder")
    assert module.MINIMUM_VARIABLES in (1, 2)


@every_metric
def test_it_gives_plain_numbers_twice_the_same(metric):
    first = score(MODULES[metric], encoders.rotated)
    assert all(type(value) is float for value in first.values())
    assert score(MODULES[metric], encoders.rotated) == first


@every_metric
def test_the_number_of_threads_changes_nothing(metric):
    results = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            results.append(score(MODULES[metric], encoders.rotated))
    assert results[0] == results[1]


@every_metric
def test_the_order_of_codes_changes_nothing(metric):
    """But the last digits, and the choice between equally good splits of a tree."""
    tolerance = 0.01 if metric.startswith("dci") else 1e-6
    expected = score(MODULES[metric], encoders.perfect)
    assert score(MODULES[metric], encoders.permuted) == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("metric", DISENTANGLEMENT)
def test_a_perfect_code_scores_high_and_a_rotated_one_lower(metric):
    part = DISENTANGLEMENT[metric]
    best = score(MODULES[metric], encoders.perfect)[part]
    assert PERFECT[metric] < best <= 1
    assert score(MODULES[metric], encoders.rotated)[part] < best - 0.1


def test_every_metric_of_disentanglement_is_known_here():
    assert set(DISENTANGLEMENT) == set(MODULES) - set(names(takes="codes")) - set(DOWNSTREAM)


@every_metric
def test_a_constant_code_among_others_gives_a_number(metric):
    for part, value in score(MODULES[metric], encoders.with_constant).items():
        assert not math.isnan(value), part
        assert math.isfinite(value) or metric == "total_correlation", part


@every_metric
def test_codes_that_never_change_give_the_documented_value(metric):
    undefined = ("effective_rank", "wasserstein_correlation_normalised")
    for part, value in score(MODULES[metric], encoders.constant).items():
        if metric == "total_correlation":
            assert value == math.inf
        elif metric.startswith(undefined):
            assert math.isnan(value)
        elif part.startswith("explicitness"):
            assert value == 0.5  # chance
        elif part.startswith(("informativeness", "accuracy")) or metric == "beta_vae_score":
            assert 0 < value < 0.6  # the commonest class
        else:
            assert value == pytest.approx(0, abs=1e-12), part


@every_metric
def test_duplicated_codes_give_a_number(metric):
    for part, value in score(MODULES[metric], encoders.duplicated).items():
        assert not math.isnan(value), part


@pytest.mark.parametrize(
    "metric", ["chen_mig", "mutual_information_gap", "sap_score", "sap_score_continuous"]
)
def test_duplicated_codes_leave_no_gap(metric):
    assert score(MODULES[metric], encoders.duplicated)["score"] == pytest.approx(0, abs=1e-9)


@every_metric
def test_a_single_code_gives_a_number_or_nan_where_there_is_nothing_to_compare(metric):
    compared = {
        "averaged_mutual_information": "score",
        "chen_mig": "score",
        "mutual_information_gap": "score",
        "sap_score": "score",
        "sap_score_continuous": "score",
        "dci": "completeness",
        "dci_lightgbm": "completeness",
    }
    for part, value in score(MODULES[metric], encoders.one_code).items():
        assert math.isnan(value) == (compared.get(metric) == part), part


@every_metric
def test_fewer_codes_than_factors_give_a_number(metric):
    assert all(math.isfinite(v) for v in score(MODULES[metric], encoders.two_codes).values())


@with_factors
def test_a_factor_that_never_changes_is_left_out(metric):
    split = encoders.make_split(encoders.perfect)
    fixed = replace(
        split,
        train_factors=np.insert(split.train_factors, 1, 7, axis=1),
        test_factors=np.insert(split.test_factors, 1, 7, axis=1),
    )
    assert score_split(MODULES[metric], fixed) == score_split(MODULES[metric], split)


@with_factors
def test_without_any_factor_that_changes_there_is_no_score(metric):
    split = encoders.make_split(encoders.perfect)
    fixed = replace(
        split,
        train_factors=np.zeros_like(split.train_factors),
        test_factors=np.zeros_like(split.test_factors),
    )
    assert all(math.isnan(value) for value in score_split(MODULES[metric], fixed).values())


@pytest.mark.parametrize("metric", ["beta_vae_score", "factor_vae_score"])
def test_one_shared_factor_alone_is_always_recognised(metric):
    make = encoders.make_pairs if metric == "beta_vae_score" else encoders.make_votes
    given = make(encoders.perfect)
    only = np.zeros_like(given.train_labels)
    result = MODULES[metric].score(replace(given, train_labels=only, test_labels=only))
    assert result == {"train": 1, "test": 1}


@pytest.mark.parametrize("metric", names(takes="split"))
def test_classes_that_training_never_saw_count_as_not_recognised(metric):
    split = encoders.make_split(encoders.perfect)
    seen = (split.train_factors < [2, 3, 4]).all(axis=1)
    less = replace(
        split, train_codes=split.train_codes[seen], train_factors=split.train_factors[seen]
    )
    for part, value in score_split(MODULES[metric], less).items():
        assert math.isfinite(value), part
        if part == "informativeness_test":
            assert value < 0.85


@pytest.mark.parametrize("metric", names(takes="split"))
def test_test_classes_all_unknown_or_all_the_same_raise_nothing(metric):
    split = encoders.make_split(encoders.perfect)
    for odd in (split.test_factors + 100, np.zeros_like(split.test_factors)):
        result = score_split(MODULES[metric], replace(split, test_factors=odd))
        assert all(math.isfinite(v) for k, v in result.items() if k != "explicitness_test")
        assert math.isnan(result.get("explicitness_test", math.nan))


@pytest.mark.parametrize("metric", names(takes="split"))
def test_single_precision_changes_little(metric):
    split = encoders.make_split(encoders.perfect)
    single = replace(
        split,
        train_codes=split.train_codes.astype(np.float32),
        test_codes=split.test_codes.astype(np.float32),
    )
    expected = score_split(MODULES[metric], split)
    assert score_split(MODULES[metric], single) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("make", [encoders.make_split, encoders.make_pairs, encoders.make_votes])
def test_choosing_codes_of_a_set_is_the_same_as_encoding_them_only(make):
    chosen = make(encoders.perfect).select([2, 0])
    expected = make(lambda factors: encoders.perfect(factors)[:, [2, 0]])
    for field in fields(chosen):
        assert getattr(chosen, field.name) == pytest.approx(getattr(expected, field.name))


def test_no_metric_imports_torch():
    code = (
        "import sys; from latents.runtime.plugins import load\n"
        "from latents.workflow.registry import registry\n"
        "for name in registry('evaluation/metrics'): load('evaluation/metrics', name)\n"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0
