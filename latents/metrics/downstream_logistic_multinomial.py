"""How well multinomial logistic regression reads the factors off the codes: a declared variant."""

import numpy as np
from numpy.typing import NDArray

from latents.downstream import Answer, Codes, score_factors
from latents.evaluation_sets import Split
from latents.logistic import fit_logistic

TAKES = "split"
COST = "costly"
MINIMUM_VARIABLES = 1
EVERY_SIZE = True


def score(split: Split, *, seed: int, trees: int) -> dict[str, float]:
    """As `downstream_logistic`, but all classes in one model, as scikit-learn has it since 0.22."""

    def classify(codes: Codes, labels: NDArray[np.int64], test_codes: Codes) -> Answer:
        model = fit_logistic(codes, labels, multinomial=True)
        return Answer(model.predict(test_codes), model.constant)

    return score_factors(split, classify)
