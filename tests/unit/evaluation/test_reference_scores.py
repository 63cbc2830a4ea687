"""Scores against those of the reference implementation on the same synthetic representations."""

import json
from itertools import product
from typing import Any

import numpy as np
import pytest

from latents.evaluation.evaluation_sets import Split
from latents.evaluation.variable_types import classify, combine
from tests.conftest import DATA
from tests.unit.evaluation.encoders import MODULES

REFERENCE_NAMES = {
    "total_correlation": "gaussian_total_correlation",
    "wasserstein_correlation": "gaussian_wasserstein_correlation",
    "averaged_mutual_information": "averaged_mutual_information",
    "effective_rank": "effective_rank",
}
EXACT, FITTED = 1e-9, 0.01
FAST_TREES = 0.05  # LightGBM grows other trees

every_case = pytest.mark.parametrize(
    ("case", "representation"),
    [*product(["perfect", "polarised", "rotated"], ["mean", "sampled"])],
)


@pytest.fixture
def arrays(case) -> Any:
    return np.load(DATA / "reference_scores" / f"{case}.npz")


@pytest.fixture
def expected(case) -> dict[str, Any]:
    return json.loads((DATA / "reference_scores" / f"{case}.json").read_text())


@pytest.fixture
def split(arrays, expected, representation) -> Split:
    end = expected["split"]["train"]
    codes, factors = arrays[representation], arrays["factors"].astype(np.int64)
    return Split(codes[:end], factors[:end], codes[end:], factors[end:])


@every_case
@pytest.mark.parametrize("metric", REFERENCE_NAMES)
def test_codes_alone(metric, arrays, expected, representation):
    types = classify(arrays["variance"], 0.1)
    assert types == expected["variable_types"]
    module = MODULES[metric]
    matrix = module.summarise(arrays[representation])
    for combination in ("full", "active", "active_mixed"):
        chosen = combine(types, "any")[combination]
        reference = expected[representation][combination][REFERENCE_NAMES[metric]]
        for score in (
            module.score(arrays[representation][:, chosen]),
            module.score_matrix(matrix[np.ix_(chosen, chosen)]),
        ):
            assert score == pytest.approx(reference, abs=EXACT), combination


@every_case
def test_mutual_information_gap(arrays, expected, representation):
    score = MODULES["mutual_information_gap"].score(arrays[representation], arrays["factors"])
    assert score == pytest.approx(expected[representation]["mig"], abs=EXACT)


@every_case
def test_modularity_and_explicitness(split, expected, representation):
    parts = MODULES["modularity_explicitness"].score(split, seed=0, trees=100)
    reference = expected[representation]
    assert parts["modularity"] == pytest.approx(reference["modularity"], abs=EXACT)
    assert parts["explicitness_test"] == pytest.approx(reference["explicitness_test"], abs=FITTED)


@every_case
def test_sap_scores(split, expected, representation):
    reference = expected[representation]
    discrete = MODULES["sap_score"].score(split, seed=0, trees=100)
    assert discrete == pytest.approx(reference["sap"], abs=FITTED)
    continuous = MODULES["sap_score_continuous"].score(split.train_codes, split.train_factors)
    assert continuous == pytest.approx(reference["sap_continuous"], abs=EXACT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "representation"), [("polarised", "mean"), ("rotated", "sampled")]
)  # each takes as long as all the other scores together
def test_dci(split, expected, representation):
    parts = MODULES["dci"].score(split, seed=0, trees=100)
    assert parts == pytest.approx(expected[representation]["dci"], abs=FITTED)


@every_case
def test_dci_from_faster_trees_is_near(split, expected, representation):
    parts = MODULES["dci_lightgbm"].score(split, seed=0, trees=100)
    assert parts == pytest.approx(expected[representation]["dci"], abs=FAST_TREES)
