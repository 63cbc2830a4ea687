"""FactorVAE score (Kim and Mnih 2018)."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation_sets import Votes

TAKES = "votes"
COST = "costly"
MINIMUM_VARIABLES = 1
LEAST_DEVIATION = 0.05  # codes that vary less have collapsed to the prior and may not vote


def score(votes: Votes) -> dict[str, float]:
    """Accuracy of a majority vote: in a batch that shares one factor, which code varies least?

    Variances are taken relative to the code's variance over all data. Each code stands for the
    factor it was chosen for most often in training (the first one, where it never was). The
    score is `test`. Both parts are 0 where no code varies enough.
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
    """The label that each code was chosen for most often, (codes,)."""
    table = np.zeros((codes, labels.max() + 1), dtype=np.int64)
    np.add.at(table, (chosen, labels), 1)
    return np.asarray(table.argmax(axis=1))
