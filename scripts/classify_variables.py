"""Classify every latent of every run of a cell as active, mixed or passive."""

from pathlib import Path
from typing import Any

import pandas as pd

from latents.evaluation.representation import read_representation
from latents.evaluation.runs import list_runs
from latents.evaluation.tables import write_table
from latents.evaluation.variable_types import classify, summarise
from latents.runtime.step import run


def classify_variables(
    *,
    representations: list[Path],
    variables: Path,
    runs: dict[str, Any],
    tolerance: float,
) -> None:
    """Write one row per run and latent, with the two numbers that decide its type."""
    rows = []
    for path, run_ in zip(representations, list_runs(**runs), strict=True):
        representation, description = read_representation(path)
        types = classify(representation.variance, tolerance)
        means, variances = summarise(representation.variance)
        for latent, kind in enumerate(types):
            row = {**run_, "source": description["source"], "latent": latent, "type": kind}
            row |= {"mean_variance": means[latent], "variance_of_variance": variances[latent]}
            rows.append(row)
    write_table(variables, pd.DataFrame(rows))


if __name__ == "__main__":
    run(classify_variables)
