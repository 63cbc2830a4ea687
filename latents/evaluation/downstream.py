"""Downstream tasks: one classifier per ground-truth factor, from codes to the factor's value.

The score is the mean over factors of the accuracy on test examples. A value that the training
examples do not have is never predicted, and counts as wrong wherever it is the truth.
"""

from collections.abc import Callable
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.evaluation_sets import Split

FEW, MANY = 100, 10_000  # training examples whose accuracies give the efficiency


class Prediction(NamedTuple):
    """Predictions for the test codes, and the number of fits whose training set had one class."""

    labels: NDArray[np.int64]
    missing: int


Codes = NDArray[np.floating]
Classifier = Callable[[Codes, NDArray[np.int64], Codes], Prediction]


def score_factors(split: Split, classify: Classifier) -> dict[str, float]:
    """Return the mean accuracy, and the number of fits that lacked a class."""
    predictions = [
        classify(split.train_codes, labels, split.test_codes) for labels in split.train_factors.T
    ]
    predicted = np.stack([prediction.labels for prediction in predictions], axis=1)
    return {
        "accuracy": _mean_accuracy(split, predicted),
        "missing_classes": float(sum(prediction.missing for prediction in predictions)),
    }


def unless_constant(classify: Classifier) -> Classifier:
    """Return a classifier that predicts the only class of a training set, and counts that."""

    def guarded(codes: Codes, labels: NDArray[np.int64], test_codes: Codes) -> Prediction:
        if (labels == labels[0]).all():
            return Prediction(np.full(len(test_codes), labels[0]), 1)
        return classify(codes, labels, test_codes)

    return guarded


def random_accuracy(split: Split, *, seed: int) -> float:
    """Return the accuracy of guesses, uniform among the values that each factor has in training.

    Its expectation is the mean over factors of 1 / (number of values), if training has them all.
    """
    random = np.random.default_rng(seed)
    guesses = [
        random.choice(np.unique(labels), size=len(split.test_factors))
        for labels in split.train_factors.T
    ]
    return _mean_accuracy(split, np.stack(guesses, axis=1))


def efficiency(accuracies: dict[int, float]) -> float:
    """Return the accuracy with 100 training examples over that with 10,000; NaN without one."""
    return accuracies.get(FEW, nan) / accuracies.get(MANY, nan)


def _mean_accuracy(split: Split, predicted: NDArray[np.int64]) -> float:
    return float((predicted == split.test_factors).mean())
