"""Fitting shared by several metrics."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning


def fit_quietly(model: Any, codes: NDArray[np.floating], labels: NDArray[np.int64]) -> Any:
    """Fit a scikit-learn classifier that may stop at its limit of iterations.

    The limit is part of the published scores, so warnings about it are silenced.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(codes, labels)
