"""What every latent of every run of a cell does over the data."""

from pathlib import Path
from typing import Any

import pandas as pd

from latents import latent_table
from latents.representation import read_representation
from latents.step import run
from latents.tables import list_runs, write_table
from latents.variables import classify


def describe_latents(
    *, representations: list[Path], latents: Path, runs: dict[str, Any], tolerance: float
) -> None:
    """One row per run and latent."""
    rows = []
    for path, told in zip(representations, list_runs(**runs), strict=True):
        representation, description = read_representation(path)
        types = classify(representation.variance, tolerance)
        described = latent_table.describe_latents(representation)
        for kind, row in zip(types, described, strict=True):
            rows.append({**told, "source": description["source"], "type": kind, **row})
    write_table(latents, pd.DataFrame(rows))


if __name__ == "__main__":
    run(describe_latents)
