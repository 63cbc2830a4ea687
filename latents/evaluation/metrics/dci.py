"""Disentanglement, completeness and informativeness (Eastwood and Williams 2018)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr
from sklearn.ensemble import GradientBoostingClassifier

from latents.evaluation.covariance import changing
from latents.evaluation.evaluation_sets import Split

TAKES = "split"
COST = "costly"
EVERY_COMBINATION = False
MINIMUM_VARIABLES = 1
SMALLEST = 1e-11  # keeps the shares of an unused code defined: they are then equal

Predict = Callable[[NDArray[np.floating]], NDArray[np.int64]]
Learn = Callable[[NDArray[np.floating], NDArray[np.int64]], tuple[NDArray[np.float64], Predict]]


def score(split: Split, *, seed: int, trees: int) -> dict[str, float]:
    """Return the three scores from gradient boosted trees, `trees` of depth 3 per class and factor.

    `seed` decides between splits that are equally good.
    """

    def learn(
        codes: NDArray[np.floating], labels: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], Predict]:
        model = GradientBoostingClassifier(n_estimators=trees, random_state=seed)
        model.fit(codes, labels)
        return model.feature_importances_, model.predict

    return score_learner(learn, split)


def score_learner(learn: Learn, split: Split) -> dict[str, float]:
    """Return the scores of a classifier that gives the importance of each code, one per factor.

    Informativeness is accuracy, averaged over factors. Factors that never change in training are
    left out; all is NaN if none is left.
    """
    kept = np.flatnonzero(changing(split.train_factors))
    used, train, test = [], [], []
    for k in kept:
        importances, predict = learn(split.train_codes, split.train_factors[:, k])
        used.append(importances)
        train.append(np.mean(predict(split.train_codes) == split.train_factors[:, k]))
        test.append(np.mean(predict(split.test_codes) == split.test_factors[:, k]))
    importance = np.reshape(used, (len(kept), split.train_codes.shape[1]))
    return {
        "disentanglement": concentration(importance.T),
        "completeness": concentration(importance),
        "informativeness_train": float(np.mean(train)) if train else float("nan"),
        "informativeness_test": float(np.mean(test)) if test else float("nan"),
    }


def concentration(importance: NDArray[np.float64]) -> float:
    """Return the weighted mean over rows of 1 - entropy of their shares, in base of their length.

    Of (codes, factors) it is the disentanglement, of (factors, codes) the completeness. 0 if
    nothing is used at all. NaN for rows of fewer than two entries.
    """
    length = importance.shape[1]
    if length < 2 or not importance.size:
        return float("nan")
    shares = importance + SMALLEST
    shares = shares / shares.sum(axis=1, keepdims=True)
    rows = 1 - entr(shares).sum(axis=1) / np.log(length)
    weights = importance.sum(axis=1)
    return float(np.average(rows, weights=weights if weights.any() else None))
