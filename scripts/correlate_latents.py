"""Correlate the latents of every run of a cell."""

from pathlib import Path
from typing import Any

import pandas as pd

from latents.evaluation.covariance import correlation, covariance
from latents.evaluation.representation import read_representation
from latents.evaluation.runs import list_runs
from latents.evaluation.scoring import REPRESENTATIONS
from latents.evaluation.tables import write_table
from latents.runtime.step import run


def correlate_latents(
    *, representations: list[Path], correlations: Path, runs: dict[str, Any]
) -> None:
    """Write one row per run, representation and ordered pair of latents: the matrix, row by row."""
    rows = []
    for path, run_ in zip(representations, list_runs(**runs), strict=True):
        representation, description = read_representation(path)
        for which in REPRESENTATIONS:
            matrix = correlation(covariance(representation.codes(which)))
            common = {**run_, "source": description["source"], "representation": which}
            rows += [
                {**common, "latent": a, "other": b, "correlation": matrix[a, b]}
                for a in range(len(matrix))
                for b in range(len(matrix))
            ]
    write_table(correlations, pd.DataFrame(rows))


if __name__ == "__main__":
    run(correlate_latents)
