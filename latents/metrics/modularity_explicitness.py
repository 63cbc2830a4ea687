"""Modularity and explicitness (Ridgeway and Mozer 2018)."""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression

from latents.classifiers import fit_quietly
from latents.evaluation_sets import Split
from latents.information import changing, discretise, mutual_information

BINS = 20
TAKES = "split"
COST = "costly"
EVERY_COMBINATION = False
MINIMUM_VARIABLES = 1
PARTS = ("modularity", "explicitness_train", "explicitness_test")


def score(split: Split, *, seed: int, trees: int) -> dict[str, float]:
    """Modularity of the training codes; explicitness, in training and test.

    Nothing is random: `seed` and `trees` are there for the sake of one signature. Factors that
    never change in training are left out; all is NaN where none is left.
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
    """Mean over codes of 1 - (sum_k I_k^2 - max) / (max (K - 1)), of information (codes, K).

    1 where every code informs of one factor at most. A code that informs of nothing scores 0.
    NaN for fewer than two factors, between which there is nothing to choose.
    """
    squared = information**2
    if squared.shape[1] < 2:
        return float("nan")
    best = squared.max(axis=1)
    others = (squared.sum(axis=1) - best) / (squared.shape[1] - 1)
    shared = np.divide(others, best, out=np.ones_like(best), where=best > 0)
    return float(np.mean(1 - shared))


def _standardise(split: Split) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both sets of codes by the mean and deviation of the training codes; constants become 0."""
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
    """Area under the ROC curve of logistic regression, averaged over the classes."""
    model = fit_quietly(LogisticRegression(), train, train_labels)
    return (
        _area_under_roc(model.predict_proba(train), model.classes_, train_labels),
        _area_under_roc(model.predict_proba(test), model.classes_, test_labels),
    )


def _area_under_roc(
    probabilities: NDArray[np.float64], classes: NDArray[np.int64], labels: NDArray[np.int64]
) -> float:
    """Mean over classes of P(an example of the class is given more than one of another).

    From ranks, ties counted half. Classes that none or all of the labels belong to have no curve
    and are left out, as are labels the model never saw; NaN where no class is left.
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
