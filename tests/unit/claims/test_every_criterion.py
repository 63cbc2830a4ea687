"""Each kind of test finds a planted effect, keeps its level without one, and can be silent."""

import numpy as np
import pytest

from latents.claims.criteria import average, constant, every_run, trend
from latents.claims.examination import examine
from latents.claims.finding import FAILS, HOLDS, UNCLEAR
from tests.made_up import STANDARDS, runs

NOISE = np.random.RandomState(7)


def noisy(shift):
    return lambda strength, seed: shift + 0.1 * NOISE.randn()


def slope(size):
    return lambda strength, seed: size * strength + 0.1 * NOISE.randn()


# (test, arguments, runs with the effect, runs with the opposite)
KINDS = {
    "every_run": (every_run, {"above": 0, "share": 0.9}, noisy(1), noisy(-1)),
    "every_run, typical": (every_run, {"above": 0, "share": 0.5}, noisy(1), noisy(-1)),
    "every_run, small": (every_run, {"below": 0.5, "share": 0.9}, noisy(0), noisy(1)),
    "every_run, range": (every_run, {"above": -1, "below": 1, "share": 0.9}, noisy(0), noisy(3)),
    "average": (average, {"above": 0.5}, noisy(1), noisy(0)),
    "average, range": (average, {"above": -0.5, "below": 0.5}, noisy(0), noisy(-1)),
    "trend": (trend, {"above": 0}, slope(1), slope(-1)),
    "trend, down": (trend, {"below": 0}, slope(-1), slope(1)),
    "trend, strong": (trend, {"above": 0.5}, slope(1), slope(-1)),
    "trend, none upwards": (trend, {"below": 0.3}, slope(-1), slope(1)),
    "constant": (constant, {"within": 1}, noisy(0), slope(1)),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


def find(kind, table):
    test, arguments, *_ = KINDS[kind]
    return examine(table, STANDARDS, test.judge, arguments)


@every_kind
def test_a_planted_effect_is_found(kind):
    found = find(kind, runs(KINDS[kind][2]))
    assert found.verdict == HOLDS, found
    assert found.p <= 0.05
    assert found.units == 12
    assert found.low <= found.effect <= found.high


@every_kind
def test_the_opposite_does_not_hold(kind):
    found = find(kind, runs(KINDS[kind][3]))
    assert found.verdict == FAILS, found
    assert found.p > 0.5


@every_kind
def test_one_seed_is_too_little(kind):
    for value in KINDS[kind][2:]:
        found = find(kind, runs(value, seeds=1))
        assert found.verdict == UNCLEAR
        assert found.reason == "2 seeds are needed, there is 1"
        assert np.isnan(found.p)


@every_kind
def test_few_runs_are_too_little_and_the_number_needed_is_said(kind):
    for value in KINDS[kind][2:]:
        found = find(kind, runs(value, strengths=(8, 16) if "constant" in kind else (8,)))
        assert found.verdict == UNCLEAR
        assert "needed" in found.reason or "never changes" in found.reason


@every_kind
def test_runs_without_a_value_are_counted(kind):
    value = KINDS[kind][2]
    table = runs(lambda s, seed: np.nan if (s, seed) in ((1, 0), (4, 1)) else value(s, seed))
    found = find(kind, table)
    assert found.units == 10
    assert found.reason.endswith("2 of 12 runs have no such value")
    nothing = find(kind, runs(lambda s, seed: np.nan))
    assert (nothing.units, nothing.verdict) == (0, UNCLEAR)
    assert "12 of 12 runs have no such value" in nothing.reason


TWELVE = runs(np.zeros(12))


def twelve(value, **against):
    """A table of twelve runs with other numbers, which is faster than a new one."""
    return TWELVE.assign(value=value, **against)


def correlated(random, rho):
    """Bivariate normal with Spearman's rho: r = 2 sin(pi rho / 6)."""
    r, x = 2 * np.sin(np.pi * rho / 6), random.randn(12)
    return twelve(r * x + np.sqrt(1 - r**2) * random.randn(12), against=x)


# On the edge of each claim: the largest chance to say "holds" or "does not hold" by mistake.
NULLS = {
    "every_run": lambda r: twelve(r.randn(12)),
    "every_run, typical": lambda r: twelve(r.randn(12)),
    "every_run, small": lambda r: twelve(0.5 + r.randn(12)),
    "average": lambda r: twelve(0.5 + r.randn(12)),
    "average, range": lambda r: twelve(0.5 + 0.1 * r.randn(12)),
    "trend": lambda r: twelve(r.randn(12)),
    "trend, down": lambda r: twelve(r.randn(12), against=r.randint(3, size=12)),
    "trend, strong": lambda r: correlated(r, 0.5),
    "trend, none upwards": lambda r: correlated(r, 0.3),
    "constant": lambda r: twelve(np.repeat([0, 0, 0, 0, 0, 1.0], 2) + 0.1 * r.randn(12)),
}


MOST = 50 + 3 * np.sqrt(1000 * 0.05 * 0.95)  # of 1,000, at a level of 5 %


@pytest.mark.parametrize("kind", NULLS)
def test_a_planted_null_is_refused(kind):
    """Over 1,000 tables neither conclusion comes more often than the level allows."""
    random = np.random.RandomState(0)
    said = [find(kind, NULLS[kind](random)).verdict for _ in range(1000)]
    assert said.count(HOLDS) <= MOST
    if "every_run" not in kind or "typical" in kind:  # half is refuted where 90 % are claimed
        assert said.count(FAILS) <= MOST


def test_a_true_share_is_rarely_refuted():
    """In 90 % of the runs above zero: "every run" in the claim's sense."""
    random = np.random.RandomState(2)
    tables = (np.where(random.rand(12) < 0.9, 1.0, -1.0) for _ in range(1000))
    said = [find("every_run", twelve(values)).verdict for values in tables]
    assert said.count(FAILS) <= MOST
    assert said.count(HOLDS) > 500
