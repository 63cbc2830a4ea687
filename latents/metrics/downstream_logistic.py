"""How well logistic regression reads the factors off the codes."""

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
    """Cross-validated logistic regression, one class against the rest; see `latents/logistic.py`.

    Nothing is drawn and no tree is grown: `seed` and `trees` are what all downstream metrics take.
    """

    def classify(codes: Codes, labels: NDArray[np.int64], test_codes: Codes) -> Answer:
        model = fit_logistic(codes, labels)
        return Answer(model.predict(test_codes), model.constant)

    return score_factors(split, classify)
