"""DCI from LightGBM's trees: a fast variant, declared wherever it is shown.

Trees of the same number, depth and learning rate as those of `dci`, but grown from histograms of
the codes; the importance of a code is the gain of all splits on it. Scores are near those of
`dci`, not equal to them.
"""

import lightgbm
import numpy as np
from numpy.typing import NDArray

from latents.evaluation.evaluation_sets import Split
from latents.evaluation.metrics.dci import Predict, score_learner

TAKES = "split"
COST = "costly"
EVERY_COMBINATION = False
MINIMUM_VARIABLES = 1
SETTINGS = {
    "objective": "multiclass",
    "learning_rate": 0.1,
    "max_depth": 3,
    "num_leaves": 8,
    "min_data_in_leaf": 1,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}


def score(split: Split, *, seed: int, trees: int) -> dict[str, float]:
    """Return the three scores, as in `dci`; `seed` is LightGBM's own."""

    def learn(
        codes: NDArray[np.floating], labels: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], Predict]:
        classes, indices = np.unique(labels, return_inverse=True)
        settings = {**SETTINGS, "num_class": len(classes), "seed": seed}
        model = lightgbm.train(settings, lightgbm.Dataset(codes, indices), num_boost_round=trees)

        def predict(codes: NDArray[np.floating]) -> NDArray[np.int64]:
            return np.asarray(classes[np.argmax(model.predict(codes), axis=1)])

        return _shares(model.feature_importance("gain")), predict

    return score_learner(learn, split)


def _shares(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return gains as shares of their sum, so that all factors weigh the same; zeros stay zeros."""
    total = gains.sum()
    return gains / total if total > 0 else np.zeros_like(gains)
