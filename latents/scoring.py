"""Scores of a representation on every combination of its variables."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latents.representation import Representation
from latents.variables import combine

REPRESENTATIONS = ("mean", "sampled")
Metric = Callable[[NDArray[np.floating]], float]


def score_combinations(
    representation: Representation, types: list[str], *, metric: Metric, minimum: int, pairs: str
) -> list[dict[str, Any]]:
    """One row per representation and combination, with the number of variables it holds.

    A combination of fewer than `minimum` variables has no score: its row stands there with an
    empty one, so that nothing vanishes from the averages unnoticed.
    """
    rows = []
    for name in REPRESENTATIONS:
        codes = getattr(representation, name)
        for combination, chosen in combine(types, pairs).items():
            value = metric(codes[:, chosen]) if len(chosen) >= minimum else np.nan
            rows.append(
                {
                    "representation": name,
                    "combination": combination,
                    "variables": len(chosen),
                    "score": value,
                }
            )
    return rows
