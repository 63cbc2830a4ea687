"""Scores of a model on every combination of its variables.

A module of `latents/metrics` says what it takes: `codes` alone or with their factors (`labelled`),
a `split` of labelled codes to learn from and to be tested on, `pairs` or `votes`. It returns a
number or several parts by name. What it cannot score has a row with an empty score, so that nothing
vanishes from the averages unnoticed.
"""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from latents.downstream import efficiency, random_accuracy
from latents.evaluation_sets import Evaluation, Split
from latents.representation import Representation
from latents.variables import combine

REPRESENTATIONS = ("mean", "sampled")
FULL = "full"
RANDOM = "random"  # a guess, beside the combinations of a downstream task
Score = float | dict[str, float]
Scorer = Callable[[list[int]], Score]  # chosen variables -> score


def score_representation(
    representation: Representation, types: list[str], *, name: str, metric: ModuleType, pairs: str
) -> list[dict[str, Any]]:
    """Rows of a metric that takes codes, alone or with their factors."""
    rows = []
    for which in REPRESENTATIONS:
        codes = getattr(representation, which)
        scorer = _codes_scorer(metric, codes, representation)
        scored = _on_combinations(scorer, types, name=name, metric=metric, pairs=pairs)
        rows += [{"representation": which, **row} for row in scored]
    return rows


def _codes_scorer(metric: ModuleType, codes: Any, representation: Representation) -> Scorer:
    """A score that comes from a matrix of all pairs has it computed once for all combinations."""
    if metric.TAKES == "labelled":
        return lambda chosen: metric.score(codes[:, chosen], representation.factors)
    if not hasattr(metric, "summarise"):
        return lambda chosen: metric.score(codes[:, chosen])
    matrix = metric.summarise(codes)
    return lambda chosen: metric.score_matrix(matrix[np.ix_(chosen, chosen)])


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
    """Rows of a metric that takes a split, pairs or votes."""
    rows = []
    for which, evaluation in evaluations.items():
        for suffix, scorer in _evaluation_scorers(metric, evaluation, seed, trees):
            scored = _on_combinations(
                scorer, types, name=name, metric=metric, pairs=pairs, suffix=suffix
            )
            rows += [{"representation": which, **row} for row in scored]
        if getattr(metric, "EVERY_SIZE", False):
            mine = [row for row in rows if row["representation"] == which]
            rows += [{"representation": which, **row} for row in _efficiencies(mine, name)]
            rows += [{"representation": which, **row} for row in _guesses(evaluation, name, seed)]
    return rows


def _efficiencies(rows: list[dict[str, Any]], name: str) -> Iterator[dict[str, Any]]:
    """Of a downstream task, on each combination."""
    prefix = f"{name}_accuracy_"
    accuracies: dict[tuple[str, int], dict[int, float]] = {}
    for row in rows:
        if row["metric"].startswith(prefix):
            size = int(row["metric"].removeprefix(prefix))
            key = row["combination"], row["variables"]
            accuracies.setdefault(key, {})[size] = row["score"]
    for (combination, variables), found in accuracies.items():
        told = {"metric": f"{name}_efficiency", "combination": combination, "variables": variables}
        yield {**told, "score": efficiency(found)}


def _guesses(evaluation: Evaluation, name: str, seed: int) -> Iterator[dict[str, Any]]:
    """The baseline of a downstream task, as a combination of no variables."""
    for size, split in evaluation.splits.items():
        told = {"metric": f"{name}_accuracy_{size}", "combination": RANDOM, "variables": 0}
        yield {**told, "score": random_accuracy(split, seed=seed)}


def _evaluation_scorers(
    metric: ModuleType, evaluation: Evaluation, seed: int, trees: int
) -> Iterator[tuple[str, Scorer]]:
    """One, or one per number of training examples, which the name of the score then tells."""
    if metric.TAKES == "split":
        every_size = getattr(metric, "EVERY_SIZE", False)
        sizes = sorted(evaluation.splits) if every_size else [max(evaluation.splits)]
        for size in sizes:
            scorer = _split_scorer(metric, evaluation.splits[size], seed, trees)
            yield f"_{size}" if every_size else "", scorer
    else:
        drawn = evaluation.pairs if metric.TAKES == "pairs" else evaluation.votes
        yield "", lambda chosen: metric.score(drawn.of(chosen))


def _split_scorer(metric: ModuleType, split: Split, seed: int, trees: int) -> Scorer:
    return lambda chosen: metric.score(split.of(chosen), seed=seed, trees=trees)


def _on_combinations(
    scorer: Scorer,
    types: list[str],
    *,
    name: str,
    metric: ModuleType,
    pairs: str,
    suffix: str = "",
) -> Iterator[dict[str, Any]]:
    """On every combination of types, or where that costs too much on all variables only.

    A combination of as many variables as there are is the full one, and is not scored again.
    """
    combinations = combine(types, pairs)
    if not getattr(metric, "EVERY_COMBINATION", True):
        combinations = {FULL: combinations[FULL]}
    known: dict[tuple[int, ...], Score] = {}
    for combination, chosen in combinations.items():
        key = tuple(chosen)
        if key not in known:
            enough = len(chosen) >= metric.MINIMUM_VARIABLES
            known[key] = scorer(chosen) if enough else _nothing(known)
        for part, value in _parts(known[key]):
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


def _nothing(known: dict[tuple[int, ...], Score]) -> Score:
    """No score, in the parts that the others have; the full combination comes first."""
    first = next(iter(known.values()), np.nan)
    return dict.fromkeys(first, np.nan) if isinstance(first, dict) else np.nan
