"""Separated attribute predictability (Kumar et al. 2018) of factors taken as classes."""

import numpy as np
from numpy.typing import NDArray
from sklearn.svm import LinearSVC

from latents.evaluation.covariance import changing
from latents.evaluation.evaluation_sets import Split
from latents.evaluation.information import gap_of_best_two

TAKES = "split"
COST = "costly"
EVERY_COMBINATION = False
MINIMUM_VARIABLES = 2


def score(split: Split, *, seed: int, trees: int) -> float:
    """Return the mean over factors of the best minus the second-best accuracy from a single code.

    The classifier is a linear support vector machine with C = 0.01 and balanced classes, in the
    primal, where nothing is random: `seed` and `trees`, which all metrics of a split take, are not
    used. Factors that never change in training are left out. NaN for one code, which has no second,
    and if no factor changes.
    """
    kept = np.flatnonzero(changing(split.train_factors)).tolist()
    codes = range(split.train_codes.shape[1])
    if len(codes) < MINIMUM_VARIABLES or not kept:
        return float("nan")
    accuracies = [[_accuracy(split, code, factor) for factor in kept] for code in codes]
    return float(np.mean(gap_of_best_two(np.array(accuracies))))


def _accuracy(split: Split, code: int, factor: int) -> float:
    machine = LinearSVC(C=0.01, class_weight="balanced", dual=False)
    machine.fit(_column(split.train_codes, code), split.train_factors[:, factor])
    predicted = machine.predict(_column(split.test_codes, code))
    return float(np.mean(predicted == split.test_factors[:, factor]))


def _column(codes: NDArray[np.floating], code: int) -> NDArray[np.float64]:
    return codes[:, [code]].astype(np.float64)
