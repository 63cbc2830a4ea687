"""A costly metric on one run."""

from importlib import import_module
from pathlib import Path

import pandas as pd

from latents.evaluation_file import read_evaluation
from latents.representation import read_representation
from latents.scoring import score_evaluations
from latents.step import run
from latents.tables import write_table
from latents.variables import classify


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
    """One row per representation, combination and part of the score."""
    evaluations, description = read_evaluation(evaluation)
    types = classify(read_representation(representation)[0].variance, tolerance)
    rows = score_evaluations(
        evaluations,
        types,
        name=metric,
        metric=import_module(f"latents.metrics.{metric}"),
        pairs=pairs,
        seed=seed,
        trees=trees,
    )
    write_table(scores, pd.DataFrame([{"source": description["source"], **row} for row in rows]))


if __name__ == "__main__":
    run(score_run)
