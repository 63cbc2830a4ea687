"""Scores of a model on every combination of its variables.

A module of `evaluation/metrics` says what it takes: `codes` alone or with their factors
(`labelled`), a `split` of labelled codes to learn from and to be tested on, `pairs`, `votes`, or
the `posteriors` of labelled images. It returns a number or several parts by name. What it cannot
score has a row with an empty score, so that nothing vanishes from the averages unnoticed.
"""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from latents.evaluation.downstream import efficiency, random_accuracy
from latents.evaluation.evaluation_sets import Evaluation, Split
from latents.evaluation.representation import Representation
from latents.evaluation.variable_types import combine

SAMPLED = "sampled"
REPRESENTATIONS = ("mean", SAMPLED)
FULL = "full"
RANDOM = "random"  # guesses, listed like a combination of a downstream task
LEAST_VARIANCE = np.finfo(np.float32).tiny  # of a posterior that is a point
Score = float | dict[str, float]
Scorer = Callable[[list[int]], Score]  # chosen variables -> score


def score_representation(
    representation: Representation, types: list[str], *, name: str, metric: ModuleType, pairs: str
) -> list[dict[str, Any]]:
    """Return the rows of a metric that takes codes, alone or with their factors."""
    rows = []
    for which in REPRESENTATIONS:
        codes = representation.codes(which)
        scorer = _codes_scorer(metric, codes, representation)
        scored = _on_combinations(scorer, types, name=name, metric=metric, pairs=pairs)
        rows += [{"representation": which, **row} for row in scored]
    return rows


def _codes_scorer(metric: ModuleType, codes: Any, representation: Representation) -> Scorer:
    """Return a scorer; a matrix of all pairs is computed once for all combinations."""
    if metric.TAKES == "labelled":
        return lambda chosen: metric.score(codes[:, chosen], representation.factors)
    if not hasattr(metric, "summarise"):
        return lambda chosen: metric.score(codes[:, chosen])
    matrix = metric.summarise(codes)
    return lambda chosen: metric.score_matrix(matrix[np.ix_(chosen, chosen)])


def score_posteriors(
    representation: Representation,
    types: list[str],
    *,
    name: str,
    metric: ModuleType,
    pairs: str,
    samples: int,
    seed: int,
) -> list[dict[str, Any]]:
    """Return the rows of a metric that takes posteriors, of which it draws `samples` codes."""
    mean = representation.mean
    logvar = np.log(np.maximum(representation.variance, LEAST_VARIANCE))

    def scorer(chosen: list[int]) -> Score:
        posteriors = mean[:, chosen], logvar[:, chosen], representation.factors
        return float(metric.score(*posteriors, samples=samples, seed=seed))

    scored = _on_combinations(scorer, types, name=name, metric=metric, pairs=pairs)
    return [{"representation": SAMPLED, **row} for row in scored]


def score_evaluations(
    evaluations: dict[str, Evaluation],
    types: list[str],
    *,
    name: str,
    metric: ModuleType,
    pairs: str,
    seed: int,
    trees: int,
) -> list[dict[str, Any]]:
    """Return the rows of a metric that takes a split, pairs or votes."""
    rows = []
    for which, evaluation in evaluations.items():
        for suffix, scorer in _evaluation_scorers(metric, evaluation, seed, trees):
            scored = _on_combinations(
                scorer, types, name=name, metric=metric, pairs=pairs, suffix=suffix
            )
            rows += [{"representation": which, **row} for row in scored]
        if getattr(metric, "EVERY_SIZE", False):
            same = [row for row in rows if row["representation"] == which]
            rows += [{"representation": which, **row} for row in _efficiencies(same, name)]
            rows += [{"representation": which, **row} for row in _guesses(evaluation, name, seed)]
    return rows


def _efficiencies(rows: list[dict[str, Any]], name: str) -> Iterator[dict[str, Any]]:
    """Yield the efficiency of a downstream task on each combination."""
    prefix = f"{name}_accuracy_"
    accuracies: dict[tuple[str, int], dict[int, float]] = {}
    for row in rows:
        if row["metric"].startswith(prefix):
            size = int(row["metric"].removeprefix(prefix))
            key = row["combination"], row["variables"]
            accuracies.setdefault(key, {})[size] = row["score"]
    for (combination, variables), by_size in accuracies.items():
        common = {
            "metric": f"{name}_efficiency",
            "combination": combination,
            "variables": variables,
        }
        yield {**common, "score": efficiency(by_size)}


def _guesses(evaluation: Evaluation, name: str, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the random baseline of a downstream task, as a combination of no variables."""
    for size, split in evaluation.splits.items():
        common = {"metric": f"{name}_accuracy_{size}", "combination": RANDOM, "variables": 0}
        yield {**common, "score": random_accuracy(split, seed=seed)}


def _evaluation_scorers(
    metric: ModuleType, evaluation: Evaluation, seed: int, trees: int
) -> Iterator[tuple[str, Scorer]]:
    """Yield one scorer, or one per training size, with a suffix for the name of the score."""
    if metric.TAKES == "split":
        every_size = getattr(metric, "EVERY_SIZE", False)
        sizes = sorted(evaluation.splits) if every_size else [max(evaluation.splits)]
        for size in sizes:
            scorer = _split_scorer(metric, evaluation.splits[size], seed, trees)
            yield f"_{size}" if every_size else "", scorer
    else:
        drawn = evaluation.pairs if metric.TAKES == "pairs" else evaluation.votes
        yield "", lambda chosen: metric.score(drawn.select(chosen))


def _split_scorer(metric: ModuleType, split: Split, seed: int, trees: int) -> Scorer:
    return lambda chosen: metric.score(split.select(chosen), seed=seed, trees=trees)


def _on_combinations(
    scorer: Scorer,
    types: list[str],
    *,
    name: str,
    metric: ModuleType,
    pairs: str,
    suffix: str = "",
) -> Iterator[dict[str, Any]]:
    """Yield rows for every combination of types, or only for all variables if the metric says so.

    Combinations of the same variables are scored once.
    """
    combinations = combine(types, pairs)
    if not getattr(metric, "EVERY_COMBINATION", True):
        combinations = {FULL: combinations[FULL]}
    scored: dict[tuple[int, ...], Score] = {}
    for combination, chosen in combinations.items():
        key = tuple(chosen)
        if key not in scored:
            enough = len(chosen) >= metric.MINIMUM_VARIABLES
            scored[key] = scorer(chosen) if enough else _missing_score(scored)
        for part, value in _parts(scored[key]):
            yield {
                "metric": f"{name}{part}{suffix}",
                "combination": combination,
                "variables": len(chosen),
                "score": value,
            }


def _parts(score: Score) -> Iterator[tuple[str, float]]:
    if isinstance(score, dict):
        for part, value in score.items():
            yield f"_{part}", value
    else:
        yield "", score


def _missing_score(scored: dict[tuple[int, ...], Score]) -> Score:
    """Return NaN in the parts that other combinations have; the full combination comes first."""
    first = next(iter(scored.values()), np.nan)
    return dict.fromkeys(first, np.nan) if isinstance(first, dict) else np.nan
