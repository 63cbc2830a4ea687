"""Accuracy of boosted trees that predict the factors from the codes."""

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import GradientBoostingClassifier

from latents.evaluation.downstream import Codes, Prediction, score_factors, unless_constant
from latents.evaluation.evaluation_sets import Split

TAKES = "split"
COST = "costly"
MINIMUM_VARIABLES = 1
EVERY_SIZE = True


def score(split: Split, *, seed: int, trees: int) -> dict[str, float]:
    """Score scikit-learn's gradient boosting: `trees` per class, of depth 3, learning rate 0.1.

    The paper's code sets no seed; ours only breaks ties between equally good cuts.
    """

    def classify(codes: Codes, labels: NDArray[np.int64], test_codes: Codes) -> Prediction:
        model = GradientBoostingClassifier(n_estimators=trees, random_state=seed)
        return Prediction(model.fit(codes, labels).predict(test_codes), 0)

    return score_factors(split, unless_constant(classify))
