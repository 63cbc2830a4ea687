"""Score one run by a costly metric."""

from pathlib import Path

import pandas as pd

from latents.evaluation.evaluation_file import read_evaluation
from latents.evaluation.representation import read_representation
from latents.evaluation.scoring import score_evaluations
from latents.evaluation.tables import write_table
from latents.evaluation.variable_types import classify
from latents.runtime.plugins import load
from latents.runtime.step import run


def score_run(
    *,
    evaluation: Path,
    representation: Path,
    scores: Path,
    metric: str,
    pairs: str,
    tolerance: float,
    seed: int,
    trees: int,
) -> None:
    """Write one row per representation, combination and part of the score."""
    evaluations, description = read_evaluation(evaluation)
    types = classify(read_representation(representation)[0].variance, tolerance)
    rows = score_evaluations(
        evaluations,
        types,
        name=metric,
        metric=load("evaluation/metrics", metric),
        pairs=pairs,
        seed=seed,
        trees=trees,
    )
    write_table(scores, pd.DataFrame([{"source": description["source"], **row} for row in rows]))


if __name__ == "__main__":
    run(score_run)
