"""Accuracy of logistic regression that predicts the factors from the codes."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.downstream import Codes, Prediction, score_factors
from latents.evaluation.evaluation_sets import Split
from latents.evaluation.logistic import fit_logistic

TAKES = "split"
COST = "costly"
MINIMUM_VARIABLES = 1
EVERY_SIZE = True


def score(split: Split, *, seed: int, trees: int) -> dict[str, float]:
    """Score cross-validated logistic regression, one class against the rest.

    `seed` and `trees`, which all downstream metrics take, are not used.
    """

    def classify(codes: Codes, labels: NDArray[np.int64], test_codes: Codes) -> Prediction:
        model = fit_logistic(codes, labels)
        return Prediction(model.predict(test_codes), model.constant)

    return score_factors(split, classify)
