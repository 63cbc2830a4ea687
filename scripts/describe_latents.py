"""Compute statistics of every latent of every run of a cell."""

from pathlib import Path
from typing import Any

import pandas as pd

from latents.evaluation import latent_statistics
from latents.evaluation.representation import read_representation
from latents.evaluation.runs import list_runs
from latents.evaluation.tables import write_table
from latents.evaluation.variable_types import classify
from latents.runtime.step import run


def describe_latents(
    *, representations: list[Path], latents: Path, runs: dict[str, Any], tolerance: float
) -> None:
    """Write one row per run and latent."""
    rows = []
    for path, run_ in zip(representations, list_runs(**runs), strict=True):
        representation, description = read_representation(path)
        types = classify(representation.variance, tolerance)
        described = latent_statistics.describe_latents(representation)
        for kind, row in zip(types, described, strict=True):
            rows.append({**run_, "source": description["source"], "type": kind, **row})
    write_table(latents, pd.DataFrame(rows))


if __name__ == "__main__":
    run(describe_latents)
