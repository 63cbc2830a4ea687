"""BetaVAE score (Higgins et al. 2017)."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from latents.classifiers import fit_quietly
from latents.evaluation_sets import Pairs

TAKES = "pairs"
COST = "costly"
MINIMUM_VARIABLES = 1


def score(pairs: Pairs) -> dict[str, float]:
    """Accuracy of a linear classifier that names the factor which pairs of images share.

    One logistic regression per factor, as the version of scikit-learn that the published scores
    were made with had it. The score is `test`. Where training saw one factor only, that factor
    is the answer to everything.
    """
    if (pairs.train_labels == pairs.train_labels[0]).all():
        return {"train": 1.0, "test": float(np.mean(pairs.test_labels == pairs.train_labels[0]))}
    model = OneVsRestClassifier(LogisticRegression(solver="liblinear", random_state=0))
    fit_quietly(model, pairs.train_features, pairs.train_labels)
    return {
        "train": float(np.mean(model.predict(pairs.train_features) == pairs.train_labels)),
        "test": float(np.mean(model.predict(pairs.test_features) == pairs.test_labels)),
    }
