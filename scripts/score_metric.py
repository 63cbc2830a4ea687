"""Score every combination of variables of every run of a cell by a cheap metric."""

from pathlib import Path
from typing import Any

import pandas as pd

from latents.evaluation.representation import read_representation
from latents.evaluation.runs import list_runs
from latents.evaluation.scoring import score_representation
from latents.evaluation.tables import read_table, write_table
from latents.runtime.plugins import load
from latents.runtime.step import run


def score_metric(
    *,
    representations: list[Path],
    variables: Path,
    scores: Path,
    metric: str,
    runs: dict[str, Any],
    pairs: str,
) -> None:
    """Write one row per run, representation (mean, sampled), combination and part of the score."""
    module = load("evaluation/metrics", metric)
    table = read_table(variables, ("strength", "seed", "latent", "type"))
    rows = []
    for path, run_ in zip(representations, list_runs(**runs), strict=True):
        representation, description = read_representation(path)
        of_run = (table["strength"] == run_["strength"]) & (table["seed"] == run_["seed"])
        types = table[of_run].sort_values("latent")["type"].tolist()
        common = {**run_, "source": description["source"]}
        scored = score_representation(
            representation, types, name=metric, metric=module, pairs=pairs
        )
        rows += [{**common, **row} for row in scored]
    write_table(scores, pd.DataFrame(rows))


if __name__ == "__main__":
    run(score_metric)
