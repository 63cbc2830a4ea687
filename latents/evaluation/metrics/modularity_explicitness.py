"""Modularity and explicitness (Ridgeway and Mozer 2018)."""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression

from latents.evaluation.covariance import changing
from latents.evaluation.evaluation_sets import Split
from latents.evaluation.fitting import fit_quietly
from latents.evaluation.information import discretise, mutual_information

BINS = 20
TAKES = "split"
COST = "costly"
EVERY_COMBINATION = False
MINIMUM_VARIABLES = 1
PARTS = ("modularity", "explicitness_train", "explicitness_test")


def score(split: Split, *, seed: int, trees: int) -> dict[str, float]:
    """Return the modularity of the training codes, and explicitness in training and test.

    Nothing is random: `seed` and `trees`, which all metrics of a split take, are not used. Factors
    that never change in training are left out; all is NaN if none is left.
    """
    kept = np.flatnonzero(changing(split.train_factors))
    if not kept.size:
        return dict.fromkeys(PARTS, float("nan"))
    labels = discretise(split.train_codes, BINS)
    information = mutual_information(labels, split.train_factors[:, kept])
    train, test = _standardise(split)
    explicitness = np.mean(
        [
            _explicitness(train, split.train_factors[:, k], test, split.test_factors[:, k])
            for k in kept
        ],
        axis=0,
    )
    return dict(zip(PARTS, [modularity(information), *explicitness.tolist()], strict=True))


def modularity(information: NDArray[np.float64]) -> float:
    """Return the mean over codes of 1 - (sum_k I_k^2 - max) / (max (K - 1)), I being (codes, K).

    1 if every code has information about one factor at most. A code without any scores 0. NaN for
    fewer than two factors.
    """
    squared = information**2
    if squared.shape[1] < 2:
        return float("nan")
    best = squared.max(axis=1)
    others = (squared.sum(axis=1) - best) / (squared.shape[1] - 1)
    shared = np.divide(others, best, out=np.ones_like(best), where=best > 0)
    return float(np.mean(1 - shared))


def _standardise(split: Split) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both sets of codes scaled by the training codes' moments; constants become 0."""
    train, test = split.train_codes.astype(np.float64), split.test_codes.astype(np.float64)
    kept = changing(train)
    mean, deviation = train.mean(axis=0), np.where(kept, train.std(axis=0), 1)
    return (train - mean) / deviation * kept, (test - mean) / deviation * kept


def _explicitness(
    train: NDArray[np.float64],
    train_labels: NDArray[np.int64],
    test: NDArray[np.float64],
    test_labels: NDArray[np.int64],
) -> tuple[float, float]:
    """Return the area under the ROC curve of logistic regression, averaged over the classes."""
    model = fit_quietly(LogisticRegression(), train, train_labels)
    return (
        _area_under_roc(model.predict_proba(train), model.classes_, train_labels),
        _area_under_roc(model.predict_proba(test), model.classes_, test_labels),
    )


def _area_under_roc(
    probabilities: NDArray[np.float64], classes: NDArray[np.int64], labels: NDArray[np.int64]
) -> float:
    """Return the mean over classes of P(an example of the class ranks above one of another).

    Computed from ranks, with ties counted half. Classes with none or all of the labels have no
    curve and are left out, as are labels the model never saw; NaN if no class is left.
    """
    inside = labels[:, None] == classes
    members = inside.sum(axis=0)
    others = len(labels) - members
    kept = (members > 0) & (others > 0)
    if not kept.any():
        return float("nan")
    ranks = (rankdata(probabilities, axis=0) * inside).sum(axis=0)
    wins = ranks - members * (members + 1) / 2
    return float(np.mean(wins[kept] / (members * others)[kept]))
