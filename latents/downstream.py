"""Downstream tasks: one classifier per ground-truth factor, from codes to the factor's value.

The score is the mean over factors of the accuracy on test examples. A value that the training
examples do not have is never predicted, and counts as wrong wherever it is the truth.
"""

from collections.abc import Callable
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from latents.evaluation_sets import Split

FEW, MANY = 100, 10_000  # training examples whose accuracies make the efficiency


class Answer(NamedTuple):
    """Predictions for the test codes, and how many fits had one class only to learn from."""

    labels: NDArray[np.int64]
    missing: int


Codes = NDArray[np.floating]
Classifier = Callable[[Codes, NDArray[np.int64], Codes], Answer]


def score_factors(split: Split, classify: Classifier) -> dict[str, float]:
    """Mean accuracy, and the number of cases that had to be handled for want of a class."""
    answers = [
        classify(split.train_codes, labels, split.test_codes) for labels in split.train_factors.T
    ]
    predicted = np.stack([answer.labels for answer in answers], axis=1)
    return {
        "accuracy": _mean_accuracy(split, predicted),
        "missing_classes": float(sum(answer.missing for answer in answers)),
    }


def unless_constant(classify: Classifier) -> Classifier:
    """The same, but a training set of one class predicts it, and is counted."""

    def guarded(codes: Codes, labels: NDArray[np.int64], test_codes: Codes) -> Answer:
        if (labels == labels[0]).all():
            return Answer(np.full(len(test_codes), labels[0]), 1)
        return classify(codes, labels, test_codes)

    return guarded


def random_accuracy(split: Split, *, seed: int) -> float:
    """Of a guess, uniform among the values that each factor has in training.

    Expected to be the mean over factors of 1 / (number of values), if training shows them all.
    """
    random = np.random.default_rng(seed)
    guesses = [
        random.choice(np.unique(labels), size=len(split.test_factors))
        for labels in split.train_factors.T
    ]
    return _mean_accuracy(split, np.stack(guesses, axis=1))


def efficiency(accuracies: dict[int, float]) -> float:
    """Accuracy with 100 training examples by that with 10,000; NaN if one is missing."""
    return accuracies.get(FEW, nan) / accuracies.get(MANY, nan)


def _mean_accuracy(split: Split, predicted: NDArray[np.int64]) -> float:
    return float((predicted == split.test_factors).mean())
