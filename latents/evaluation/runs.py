"""The runs of a cell, in the order of the tables."""

from typing import Any

from latents.evaluation.study_index import find_index


def list_runs(
    cell: str, dataset: str, study_method: str | None, strengths: list[float], seeds: int
) -> list[dict[str, Any]]:
    """Return the columns that identify each run of a cell, strengths first, seeds fastest.

    `study_index` is the number of the same run in unsupervised_study_v1, if it has one.
    """
    runs = [(strength, seed) for strength in strengths for seed in range(seeds)]
    numbers = [find_index(dataset, study_method, *run) for run in runs]
    return [
        {"cell": cell, "strength": strength, "seed": seed, "study_index": number}
        for (strength, seed), number in zip(runs, numbers, strict=True)
    ]
