"""BetaVAE score (Higgins et al. 2017)."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from latents.evaluation.evaluation_sets import Pairs
from latents.evaluation.fitting import fit_quietly

TAKES = "pairs"
COST = "costly"
MINIMUM_VARIABLES = 1


def score(pairs: Pairs) -> dict[str, float]:
    """Return the accuracy of a linear classifier of the factor that pairs of images share.

    One logistic regression per factor, as in the version of scikit-learn that the published scores
    were made with. The score is `test`. If training has one factor only, that factor is always
    predicted.
    """
    if (pairs.train_labels == pairs.train_labels[0]).all():
        return {"train": 1.0, "test": float(np.mean(pairs.test_labels == pairs.train_labels[0]))}
    model = OneVsRestClassifier(LogisticRegression(solver="liblinear", random_state=0))
    fit_quietly(model, pairs.train_features, pairs.train_labels)
    return {
        "train": float(np.mean(model.predict(pairs.train_features) == pairs.train_labels)),
        "test": float(np.mean(model.predict(pairs.test_features) == pairs.test_labels)),
    }
