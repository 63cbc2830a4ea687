"""Accuracy of LightGBM's boosted trees that predict the factors from the codes: a fast variant.

Not the paper's classifier, and therefore under a name of its own: LightGBM cuts codes into at most
255 bins and grows trees leaf by leaf. Number and depth of trees, learning rate and the single
example that a leaf may hold are those of `downstream_boosting`.
"""

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.downstream import Codes, Prediction, score_factors, unless_constant
from latents.evaluation.evaluation_sets import Split
from latents.runtime.errors import Problem

TAKES = "split"
COST = "costly"
MINIMUM_VARIABLES = 1
EVERY_SIZE = True

DEPTH = 3
SETTINGS = {
    "max_depth": DEPTH,
    "num_leaves": 2**DEPTH,
    "learning_rate": 0.1,
    "min_child_samples": 1,
    "min_data_in_bin": 1,
    "deterministic": True,
    "force_row_wise": True,  # otherwise timing chooses the method, which changes the rounding
    "n_jobs": 1,
    "verbose": -1,
}


def score(split: Split, *, seed: int, trees: int) -> dict[str, float]:
    """Score LightGBM with `trees` per class, on one thread for the same result everywhere."""
    try:
        from lightgbm import LGBMClassifier
    except ImportError as error:
        raise Problem(
            "downstream_boosting_lightgbm needs LightGBM: pip install lightgbm"
        ) from error

    def classify(codes: Codes, labels: NDArray[np.int64], test_codes: Codes) -> Prediction:
        model = LGBMClassifier(n_estimators=trees, random_state=seed, **SETTINGS)
        return Prediction(np.asarray(model.fit(codes, labels).predict(test_codes)), 0)

    return score_factors(split, unless_constant(classify))
