"""Accuracy of multinomial logistic regression that predicts the factors: a declared variant."""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.downstream import Codes, Prediction, score_factors
from latents.evaluation.evaluation_sets import Split
from latents.evaluation.logistic import fit_multinomial

TAKES = "split"
COST = "costly"
MINIMUM_VARIABLES = 1
EVERY_SIZE = True


def score(split: Split, *, seed: int, trees: int) -> dict[str, float]:
    """Score one model of all classes, as scikit-learn does since 0.22."""

    def classify(codes: Codes, labels: NDArray[np.int64], test_codes: Codes) -> Prediction:
        model = fit_multinomial(codes, labels)
        return Prediction(model.predict(test_codes), model.constant)

    return score_factors(split, classify)
