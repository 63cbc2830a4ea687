"""Tables made up by hand, with a known effect or with none."""

from itertools import combinations

import numpy as np
import pandas as pd

from latents.claim import tabulate_runs
from latents.finding import Standards

STANDARDS = Standards(level=0.05, permutations=999, seeds=2)
STRENGTHS = (1, 2, 4, 6, 8, 16)
TYPES = ["active"] * 5 + ["mixed"] * 2 + ["passive"] * 3
COMBINATIONS = ("full", "active", "mixed", "passive", "active_mixed", "active_passive")
COMBINATIONS += ("mixed_passive", "random")


def runs(value, seeds: int = 2, strengths=STRENGTHS, against=None) -> pd.DataFrame:
    """A table of runs; `value` is a list of numbers or a function of strength and seed."""
    pairs = [(s, seed) for s in strengths for seed in range(seeds)]
    values = [value(*pair) for pair in pairs] if callable(value) else list(value)
    index = pd.MultiIndex.from_tuples(pairs, names=["strength", "seed"])
    terms = {"v": pd.Series(values, index, dtype=float)}
    if against is not None:
        terms["x"] = pd.Series(list(against), index, dtype=float)
    return tabulate_runs(terms, value="v", against="strength" if against is None else "x")


def a_table(name: str, strengths: list[float], seeds: int, random: np.random.RandomState):
    """Noise with the columns of one of the workflow's tables."""
    pairs = [{"strength": s, "seed": seed} for s in strengths for seed in range(seeds)]
    kind, *_, last = name.split("/")
    rows = {"scores": score_rows, "variables": latent_rows, "latents": latent_rows}
    make = rows.get(kind, snapshot_rows)
    return pd.DataFrame([{**pair, **row} for pair in pairs for row in make(last, random)])


def score_rows(metric: str, random) -> list[dict]:
    names = [metric]
    if metric.startswith("downstream"):
        names = [f"{metric}_accuracy_{n}" for n in (100, 1000)] + [f"{metric}_efficiency"]
    return [
        {
            "source": "made up",
            "metric": name,
            "representation": representation,
            "combination": combination,
            "score": random.rand(),
        }
        for name in names
        for representation in ("mean", "sampled")
        for combination in COMBINATIONS
    ]


def latent_rows(_: str, random) -> list[dict]:
    numbers = ["mean_of_mean", "variance_of_mean", "mean_of_sampled", "variance_of_sampled"]
    numbers += ["distance_to_normal", "distance_mean_sampled", "largest_correlation"]
    numbers += ["variance_of_variance", "mean_variance"]
    return [
        {"source": "made up", "latent": j, "type": kind, "peak_holds_zero": bool(j % 2)}
        | {column: random.rand() for column in numbers}
        for j, kind in enumerate(TYPES)
    ]


def snapshot_rows(_: str, random) -> list[dict]:
    return [
        {"step": step, "a": a, "b": b, "correlation": random.uniform(-1, 1)}
        for step in (10, 20, 30)
        for a, b in combinations(range(len(TYPES)), 2)
    ]
