"""A cheap metric on every combination of variables of every run of a cell."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from latents.representation import read_representation
from latents.scoring import score_representation
from latents.step import run
from latents.tables import list_runs, read_table, write_table


def score_metric(
    *,
    representations: list[Path],
    variables: Path,
    scores: Path,
    metric: str,
    runs: dict[str, Any],
    pairs: str,
) -> None:
    """One row per run, representation (mean, sampled), combination and part of the score."""
    module = import_module(f"latents.metrics.{metric}")
    table = read_table(variables, ("strength", "seed", "latent", "type"))
    rows = []
    for path, run_ in zip(representations, list_runs(**runs), strict=True):
        representation, description = read_representation(path)
        mine = (table["strength"] == run_["strength"]) & (table["seed"] == run_["seed"])
        types = table[mine].sort_values("latent")["type"].tolist()
        told = {**run_, "source": description["source"]}
        scored = score_representation(
            representation, types, name=metric, metric=module, pairs=pairs
        )
        rows += [{**told, **row} for row in scored]
    write_table(scores, pd.DataFrame(rows))


if __name__ == "__main__":
    run(score_metric)
