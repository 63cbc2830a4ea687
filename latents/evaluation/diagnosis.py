"""Diagnosis of a representation: its passive latents, their effect on its scores, and advice."""

from typing import Any

import numpy as np
import pandas as pd

from latents.data.factors import FactorTable
from latents.evaluation.evaluation_draws import (
    Codes,
    Plan,
    Rows,
    draw_pairs,
    draw_votes,
    encode_plan,
    stream,
)
from latents.evaluation.evaluation_sets import Evaluation
from latents.evaluation.representation import Representation
from latents.evaluation.scoring import (
    score_evaluations,
    score_posteriors,
    score_representation,
)
from latents.evaluation.variable_types import TYPES
from latents.runtime.plugins import load

SIZES = (10, 100, 1000, 10_000)
MOST_TEST = 5000
TRAINING_SHARE = 2 / 3
SEED = 0
SAMPLES = 2000  # codes drawn from posteriors
COMPARED = {
    "total_correlation": "total correlation",
    "averaged_mutual_information": "averaged mutual information",
    "effective_rank": "effective rank",
}
DOWNSTREAM = "downstream_logistic_accuracy_"


def score_own(
    representation: Representation, types: list[str], *, metrics: list[str], pairs: str, trees: int
) -> pd.DataFrame:
    """Return the rows of every metric that the representation has the fields for."""
    labelled = representation.factors.shape[1] > 0
    evaluations = evaluate_own(representation) if labelled else {}
    rows: list[dict[str, Any]] = []
    for name in metrics:
        module = load("evaluation/metrics", name)
        arguments: dict[str, Any] = {"name": name, "metric": module, "pairs": pairs}
        if not labelled and module.TAKES != "codes":
            continue
        if module.TAKES in ("codes", "labelled"):
            rows += score_representation(representation, types, **arguments)
        elif module.TAKES == "posteriors":
            rows += score_posteriors(representation, types, samples=SAMPLES, seed=SEED, **arguments)
        else:
            rows += score_evaluations(evaluations, types, seed=SEED, trees=trees, **arguments)
    return pd.DataFrame(rows)


def evaluate_own(representation: Representation) -> dict[str, Evaluation]:
    """Return splits of the examples into training and test sets, and pairs and votes among all."""
    values = representation.factors
    sizes = tuple((values.max(axis=0) + 1).tolist())
    names = tuple(str(i) for i in range(len(sizes)))
    factors = FactorTable(names, sizes, tuple(range(len(sizes))), values)
    shuffled = stream("examples", SEED).permutation(len(values))
    training = min(max(SIZES), int(TRAINING_SHARE * len(values)))
    test = shuffled[training : training + MOST_TEST]
    points = training + len(test)
    plan = Plan(
        splits={size: (shuffled[:size], test) for size in training_sizes(training)},
        pairs=draw_pairs(factors, stream("pairs", SEED), points),
        votes=draw_votes(factors, stream("votes", SEED), points),
        spread=shuffled[:training],
        training_points=training,
    )

    def look_up(rows: Rows, _: np.random.RandomState) -> dict[str, Codes]:
        return {"mean": representation.mean[rows], "sampled": representation.sampled[rows]}

    return encode_plan(plan, look_up, factors, SEED)


def training_sizes(training: int) -> list[int]:
    """Return the training sizes: the usual ones that fit, and the number of all examples."""
    return sorted({size for size in SIZES if size <= training} | {training})


def advise(types: list[str], scores: pd.DataFrame, notes: list[str]) -> str:
    """Describe the types, scores with and without passive latents, and the paper's advice."""
    lines = [
        f"{len(types)} latents, numbered from 0: "
        + "; ".join(_named(kind, types) for kind in TYPES)
        + "."
    ]
    for metric, title in COMPARED.items():
        lines.append(_with_and_without(scores, metric, title))
    sizes = scores.loc[scores["metric"].str.startswith(DOWNSTREAM), "metric"]
    if len(sizes):
        largest = max(sizes, key=lambda name: int(name.removeprefix(DOWNSTREAM)))
        count = int(largest.removeprefix(DOWNSTREAM))
        title = f"accuracy of a logistic regression on {count:,} examples"
        lines.append(_with_and_without(scores, largest, title))
    lines.append(_advice(types))
    return "\n".join([*lines, *(f"Note: {note}." for note in notes)])


def _named(kind: str, types: list[str]) -> str:
    which = [str(j) for j, found in enumerate(types) if found == kind]
    return f"{len(which)} {kind}" + (f" ({', '.join(which)})" if which else "")


def _with_and_without(scores: pd.DataFrame, metric: str, title: str) -> str:
    scores = scores[scores["metric"] == metric].set_index(["representation", "combination"])
    parts = []
    for which in ("mean", "sampled"):
        full, rest = (scores["score"].get((which, c), np.nan) for c in ("full", "active_mixed"))
        without = f"{rest:.4g}" if np.isfinite(rest) else "none"
        parts.append(f"{which} {full:.4g}, without passive latents {without}")
    return f"{title[0].upper()}{title[1:]}: " + "; ".join(parts) + "."


def _advice(types: list[str]) -> str:
    passive = types.count("passive")
    if passive == 0:
        return "No latent is passive: there is nothing to drop."
    if passive == len(types):
        return "All latents are passive: the encoder has collapsed to the prior and tells nothing."
    return (
        "Passive latents carry noise in sampled codes, and in mean codes values near zero that may "
        "follow other latents. The mean codes of the rest are good for downstream tasks; drop the "
        "passive ones, above all before models that are sensitive to correlated features."
    )
