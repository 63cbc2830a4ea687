import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from latents.evaluation.variable_types import COMBINATIONS, TYPES, classify, combine


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1.0, 1.0], "passive"),
        ([0.9, 0.9], "passive"),  # inclusive in the mean
        ([1.1, 1.1], "passive"),
        ([0.89, 0.89], "mixed"),
        ([1.11, 1.11], "mixed"),
        ([0.0, 0.0], "active"),
        ([0.1, 0.1], "active"),
        ([0.11, 0.11], "mixed"),
        ([0.68, 1.33], "mixed"),  # mean of a passive one, variance 0.1056
        ([0.7, 1.3], "passive"),  # variance 0.09
        ([0.0, 1.0], "mixed"),
    ],
)
def test_boundaries_of_the_rule(values, kind):
    assert classify(np.array(values)[:, None], 0.1) == [kind]


@given(arrays(np.float64, (5, 10), elements=st.floats(0, 3)))
def test_types_partition_the_latents(variance):
    types = classify(variance, 0.1)
    assert len(types) == 10
    chosen = combine(types, "any")
    assert sorted(j for kind in TYPES for j in chosen[kind]) == list(range(10))


def test_without_passive_is_all_the_rest_whatever_their_types():
    assert combine(["active", "passive", "active"], "any")["active_mixed"] == [0, 2]
    assert combine(["mixed", "passive"], "any")["active_mixed"] == [0]


def test_the_reference_rule_needs_both_types():
    assert combine(["active", "passive", "active"], "both")["active_mixed"] == []
    assert combine(["active", "passive", "mixed"], "both")["active_mixed"] == [0, 2]
    assert combine(["active", "passive"], "both")["full"] == [0, 1]


def test_every_combination_is_there_even_when_empty():
    assert set(combine(["active"], "any")) == set(COMBINATIONS)
