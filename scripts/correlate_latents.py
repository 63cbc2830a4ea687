"""Correlations between the latents of every run of a cell."""

from pathlib import Path
from typing import Any

import pandas as pd

from latents.covariance import correlation, covariance
from latents.representation import read_representation
from latents.scoring import REPRESENTATIONS
from latents.step import run
from latents.tables import list_runs, write_table


def correlate_latents(
    *, representations: list[Path], correlations: Path, runs: dict[str, Any]
) -> None:
    """One row per run, representation and ordered pair of latents: the matrix, row by row."""
    rows = []
    for path, told in zip(representations, list_runs(**runs), strict=True):
        representation, description = read_representation(path)
        for which in REPRESENTATIONS:
            matrix = correlation(covariance(getattr(representation, which)))
            here = {**told, "source": description["source"], "representation": which}
            rows += [
                {**here, "latent": a, "other": b, "correlation": matrix[a, b]}
                for a in range(len(matrix))
                for b in range(len(matrix))
            ]
    write_table(correlations, pd.DataFrame(rows))


if __name__ == "__main__":
    run(correlate_latents)
