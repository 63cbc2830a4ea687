"""FactorVAE score (Kim and Mnih 2018)."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.evaluation_sets import Votes

TAKES = "votes"
COST = "costly"
MINIMUM_VARIABLES = 1
LEAST_DEVIATION = 0.05  # codes that vary less have collapsed to the prior and have no vote


def score(votes: Votes) -> dict[str, float]:
    """Return the accuracy of a majority vote by the code that varies least in a batch.

    All images of a batch share one factor. Variances are taken relative to the code's variance over
    all data. Each code stands for the factor it was chosen for most often in training (the first
    one, if it never was). The score is `test`. Both parts are 0 if no code varies enough.
    """
    kept = np.sqrt(votes.global_variances) >= LEAST_DEVIATION
    if not kept.any():
        return {"train": 0.0, "test": 0.0}
    scale = votes.global_variances[kept]
    train = np.argmin(votes.train_variances[:, kept] / scale, axis=1)
    test = np.argmin(votes.test_variances[:, kept] / scale, axis=1)
    meaning = _majority(train, votes.train_labels, codes=len(scale))
    return {
        "train": float(np.mean(meaning[train] == votes.train_labels)),
        "test": float(np.mean(meaning[test] == votes.test_labels)),
    }


def _majority(
    chosen: NDArray[np.int64], labels: NDArray[np.int64], *, codes: int
) -> NDArray[np.int64]:
    """Return the label that each code was chosen for most often, (codes,)."""
    table = np.zeros((codes, labels.max() + 1), dtype=np.int64)
    np.add.at(table, (chosen, labels), 1)
    return np.asarray(table.argmax(axis=1))
