"""p-values, intervals and Holm's values against what one works out by hand."""

from math import comb, factorial

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from latents.claims.criteria import average, constant, every_run, trend
from latents.claims.criteria.every_run import median_interval
from latents.claims.criteria.trend import fewest_runs, interval, permutation_test
from latents.claims.examination import adjust_holm, examine, tabulate_runs
from latents.claims.finding import FAILS, HOLDS, UNCLEAR, Standards
from tests.made_up import STANDARDS, runs


def test_sign_test():
    """11 of 12 above zero: (12 + 1) / 2^12."""
    values = [1.0] * 11 + [-1.0]
    found = every_run.judge(runs(values), STANDARDS, above=0, share=0.9)
    assert found.p == pytest.approx(13 / 4096, rel=1e-12)
    assert found.verdict == HOLDS
    assert found.reason == "above 0 in 11 of 12 runs, 90% are asked for; p is against one half"
    assert every_run.judge(runs([1.0] * 12), STANDARDS, above=0, share=0.9).p == 1 / 4096


def test_most_runs_are_not_every_run():
    """10 of 12 are more than half, but neither 90 % nor so few that 90 % are refuted."""
    table = runs([1.0] * 10 + [-1.0] * 2)
    assert every_run.judge(table, STANDARDS, above=0, share=0.9).verdict == UNCLEAR
    assert every_run.judge(table, STANDARDS, above=0, share=0.5).verdict == HOLDS


def test_a_refuted_share_does_not_hold():
    """240 of 300 are far more than half, and far fewer than 90 %."""
    values = np.where(np.arange(300) < 240, 1.0, -1.0)
    table = runs(values, seeds=50)
    found = every_run.judge(table, STANDARDS, above=0, share=0.9)
    refuted = stats.binomtest(240, 300, 0.9, alternative="less").pvalue
    assert found.verdict == FAILS
    assert found.p == pytest.approx(stats.binomtest(240, 300, 0.5, alternative="greater").pvalue)
    assert found.reason.endswith(f"p is against one half, against 90% {refuted:.2g}")
    assert every_run.judge(table, STANDARDS, above=0, share=0.5).verdict == HOLDS


def test_ties_are_no_votes():
    """A value on the bound is not above it."""
    found = every_run.judge(runs([0.0] * 12), STANDARDS, above=0, share=0.5)
    assert (found.verdict, found.p) == (FAILS, 1.0)


def test_median_interval():
    """n = 12: P(binomial <= 2) = 79 / 4096 is below 0.05, P(binomial <= 3) = 299 / 4096 above."""
    assert median_interval(np.arange(1.0, 13), 0.05) == (3.0, 10.0)
    assert median_interval(np.arange(1.0, 6), 0.05) == (1.0, 5.0)
    assert np.isnan(median_interval(np.arange(4.0), 0.05)).all()


def test_median_intervals_cover_as_often_as_they_say():
    random = np.random.RandomState(0)
    ends = [median_interval(random.exponential(size=12), 0.05) for _ in range(2000)]
    covered = np.mean([low <= np.log(2) <= high for low, high in ends])
    assert 0.89 < covered < 0.98


def test_all_permutations_of_five():
    """A perfect order is one of 5! = 120; one swap of neighbours is among the five best."""
    x = np.arange(5.0)
    assert permutation_test(x, x, 999) == (1 / 120, 1.0)
    assert permutation_test(x, -x, 999) == (1.0, 1 / 120)
    swapped = np.array([1.0, 0, 2, 3, 4])
    assert permutation_test(x, swapped, 999)[0] == 5 / 120


def test_tied_groups_are_permuted_as_such():
    """Two strengths of three runs each, all in order: 3! 3! of 6! permutations."""
    x, y = np.repeat([1.0, 2.0], 3), np.arange(6.0)
    assert permutation_test(x, y, 999)[0] == factorial(3) ** 2 / factorial(6) == 1 / comb(6, 3)


def test_drawn_permutations_agree_with_listed_ones():
    random = np.random.RandomState(3)
    x, y = np.arange(7.0), random.permutation(7) + np.arange(7.0)
    listed, drawn = permutation_test(x, y, 5040), permutation_test(x, y, 4999)
    assert drawn == pytest.approx(listed, abs=0.02)
    assert permutation_test(np.arange(12.0), np.arange(12.0), 999)[0] == 1 / 1000


def test_two_ends_need_three_seeds_each():
    """2 + 2 runs have 6 arrangements, 3 + 3 have 20."""
    found = trend.judge(runs([0.0, 1, 2, 3], strengths=(1, 10)), STANDARDS, above=0)
    assert (found.verdict, found.p) == (UNCLEAR, 4 / 24)
    assert found.reason.endswith("6 runs are needed, there are 4")
    enough = runs(np.arange(6.0), strengths=(1, 10), seeds=3)
    assert trend.judge(enough, STANDARDS, above=0).verdict == HOLDS
    assert fewest_runs(np.arange(6.0), 0.05) == 6


def test_spearmans_interval():
    """rho = 0.5, n = 12: z = 0.5493, standard error sqrt(1.125 / 9) = 0.3536."""
    reach = 1.644853627 * np.sqrt(1.125 / 9)
    expected = np.tanh([np.arctanh(0.5) - reach, np.arctanh(0.5) + reach])
    assert interval(0.5, 12, 0.05) == pytest.approx(expected)
    low, high = interval(1.0, 12, 0.05)
    assert 0.9 < low < high < 1


def test_trend_against_a_bound_is_fishers_z():
    x = np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 12, 11, 10])
    rho = stats.spearmanr(np.arange(12), x).statistic
    table = runs(x, strengths=range(6)).assign(against=np.arange(12.0))
    z = (np.arctanh(rho) - np.arctanh(0.5)) / np.sqrt((1 + rho**2 / 2) / 9)
    found = trend.judge(table, STANDARDS, above=0.5)
    assert found.p == pytest.approx(stats.norm.sf(z))
    assert found.effect == pytest.approx(rho)


def test_a_value_that_never_changes_has_no_trend():
    found = trend.judge(runs([3.0] * 12), STANDARDS, above=0)
    assert (found.verdict, found.reason) == (UNCLEAR, "the value never changes")
    fixed = trend.judge(runs(range(12), against=[3] * 12), STANDARDS, above=0)
    assert (fixed.verdict, fixed.reason) == (UNCLEAR, "what it should go with never changes")


def test_average_is_the_t_test():
    values = np.random.RandomState(0).randn(12)
    found = average.judge(runs(values), STANDARDS, above=-0.2)
    expected = stats.ttest_1samp(values, -0.2, alternative="greater")
    assert found.p == pytest.approx(expected.pvalue)
    ends = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high))


def test_averages_that_never_vary():
    """Two runs without a passive variable do not prove that there never is one; twelve do."""
    nothing = runs([0.0, 0.0], strengths=(1,))
    found = average.judge(nothing, STANDARDS, below=0.5)
    assert found.verdict == UNCLEAR
    assert found.reason == "5 runs are needed, there are 2"
    assert np.isnan([found.low, found.p]).all()
    twelve = average.judge(runs([0.0] * 12), STANDARDS, below=0.5)
    assert (twelve.verdict, twelve.p) == (HOLDS, 2**-12)
    assert average.judge(runs([0.5] * 12), STANDARDS, below=0.5).verdict == UNCLEAR


def test_constant_of_two_strengths_is_the_pooled_equivalence_test():
    a, b = np.random.RandomState(1).randn(2, 6)
    found = constant.judge(runs([*a, *b], strengths=(25, 100), seeds=6), STANDARDS, within=2)
    lower = stats.ttest_ind(b, a - 2, alternative="greater").pvalue
    upper = stats.ttest_ind(b, a + 2, alternative="less").pvalue
    assert found.p == pytest.approx(max(lower, upper))
    assert found.effect == pytest.approx(b.mean() - a.mean())


def test_constant_needs_spread_to_judge_by():
    """Two strengths of two runs leave 4 - 2 degrees of freedom; 5 are asked for."""
    few = constant.judge(runs([1.0, 1, 1, 1], strengths=(25, 100)), STANDARDS, within=1)
    assert few.reason.endswith("7 runs are needed, there are 4")
    one = constant.judge(runs([1.0] * 6, strengths=(25,), seeds=6), STANDARDS, within=1)
    assert one.reason == "two strengths are needed, there is one"


def test_holm_by_hand():
    """0.01 x 4, 0.02 x 3, 0.03 x 2 but no less than before it, 0.9 x 1; one was not tested."""
    p = pd.Series([0.03, 0.01, np.nan, 0.9, 0.02])
    expected = [0.06, 0.04, np.nan, 0.9, 0.06]
    assert adjust_holm(p).tolist() == pytest.approx(expected, nan_ok=True)
    assert adjust_holm(pd.Series([0.6, 0.7])).tolist() == [1.0, 1.0]


def test_the_level_decides_how_many_runs_are_needed():
    assert [Standards(level, 99, 2).runs for level in (0.05, 0.01, 0.25)] == [5, 7, 2]


def test_only_the_named_strengths_count():
    index = pd.MultiIndex.from_product([(1, 2, 4), (0, 1)], names=["strength", "seed"])
    terms = {"a": pd.Series(range(6), index), "b": pd.Series(1.0, index[:5])}
    table = tabulate_runs(terms, value="abs(b - a) / b", against="a", strengths=[2, 4])
    assert table["strength"].tolist() == [2, 2, 4, 4]
    assert table["value"].tolist() == pytest.approx([1, 2, 3, np.nan], nan_ok=True)
    found = examine(table, STANDARDS, average.judge, {"above": 0})
    assert found.units == 3
    assert found.reason.endswith("1 of 4 runs have no such value")
