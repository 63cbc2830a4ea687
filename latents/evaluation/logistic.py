"""Logistic regression with an L2 penalty chosen by cross-validation, one class against the rest.

The same estimator as scikit-learn's

    OneVsRestClassifier(LogisticRegressionCV(Cs=10, cv=KFold(5), scoring="accuracy"))

whose objective is C sum_n log(1 + exp(-y_n (w . x_n + b))) + |w|^2 / 2, with b unpenalised: for
each class the C of best mean accuracy over five unshuffled folds, the smallest one on ties; then
a fit to all examples; the class of largest w . x + b is predicted. Where scikit-learn's L-BFGS
stops early (a mean slope of 1e-4, or 100 iterations), Newton's method goes on to the minimum.

Memory: n d^2 / 2 numbers for the products of codes, and a few times n for each of 64 classes.
"""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import KFold

from latents.evaluation.newton import Array, Inputs, evaluate, minimise
from latents.evaluation.standardisation import Standard
from latents.runtime.errors import Problem

Labels = NDArray[np.int64]
Members = NDArray[np.bool_]  # (classes, n): whether an example is of a class
# Codes, labels and the classes among them -> weights, intercepts and strengths.
Fit = Callable[[Array, Labels, Labels], tuple[Array, Array, Array]]

STRENGTHS = np.logspace(-4, 4, 10)
FOLDS = 5
CLASSES_AT_ONCE = 64
SLOPE = 1e-7  # largest one at a minimum, per example on the rarer side
LBFGS_SLOPE = 1e-4  # and per example, in raw codes: where scikit-learn stops


@dataclass(frozen=True)
class Logistic:
    """A fitted classifier; `constant` counts the fits whose training set had one class only."""

    classes: Labels  # (k,)
    weights: Array  # (k, d)
    intercepts: Array  # (k,)
    strengths: Array  # (k,) the C chosen for each class; NaN if there is one class only
    constant: int

    def predict(self, codes: NDArray[np.floating]) -> Labels:
        """Return the class with the largest decision value of each code."""
        decisions = codes.astype(np.float64) @ self.weights.T + self.intercepts
        best: Labels = self.classes[decisions.argmax(axis=1)]
        return best


def fit_logistic(codes: NDArray[np.floating], labels: Labels) -> Logistic:
    """Fit each class against the rest."""
    return _fit(codes, labels, _fit_one_against_rest)


def fit_multinomial(codes: NDArray[np.floating], labels: Labels) -> Logistic:
    """Fit all classes at once, by scikit-learn."""
    return _fit(codes, labels, _fit_all_classes)


def _fit(codes: NDArray[np.floating], labels: Labels, fit: Fit) -> Logistic:
    """Fit codes that can be fitted; a single class needs no fit.

    A class that is missing from the training part of a fold, or alone in it, is predicted there
    never, or always; `constant` counts such pairs of fold and class, and a sole class as one.
    """
    if len(codes) < FOLDS:
        raise Problem(f"{len(codes)} examples cannot be cut into {FOLDS} folds")
    if not np.isfinite(codes).all():
        raise Problem("logistic regression was given codes that are not finite")
    classes = np.unique(labels)
    if len(classes) == 1:
        return Logistic(classes, np.zeros((1, codes.shape[1])), np.zeros(1), np.full(1, np.nan), 1)
    weights, intercepts, strengths = fit(codes.astype(np.float64), labels, classes)
    if len(classes) == 2:  # one fit, of the second class
        weights, intercepts = np.vstack([-weights, weights]), np.r_[-intercepts, intercepts]
        strengths = np.repeat(strengths, 2)
    return Logistic(classes, weights, intercepts, strengths, _constant_fits(labels, classes))


def _fit_one_against_rest(
    codes: Array, labels: Labels, classes: Labels
) -> tuple[Array, Array, Array]:
    """Return weights, intercepts and strengths of all classes, or of the second of two."""
    standard = Standard.of(codes)
    inputs = Inputs.of(standard.columns(codes))
    fitted = classes if len(classes) > 2 else classes[1:]
    groups = np.array_split(fitted, -(-len(fitted) // CLASSES_AT_ONCE))
    fits = [_fit_classes(standard, inputs, labels == group[:, None]) for group in groups]
    weights, strengths = (np.concatenate(parts) for parts in zip(*fits, strict=True))
    return *standard.raw(weights), strengths


def _fit_classes(standard: Standard, inputs: Inputs, members: Members) -> tuple[Array, Array]:
    """Return the weights for standardised codes, and the chosen strengths."""
    folds = _folds(members.shape[1])
    scores = np.stack([_fold_scores(standard, inputs, members, *fold) for fold in folds])
    strengths = STRENGTHS[scores.sum(axis=0).argmax(axis=0)]
    [weights] = _path(standard, inputs, members, members.mean(axis=1), [strengths])
    return weights, strengths


def _fold_scores(
    standard: Standard, inputs: Inputs, members: Members, first: int, last: int
) -> Array:
    """Return the accuracies (10, classes) on examples first..last - 1 of fits to the others."""
    training, held_out = np.delete(members, slice(first, last), axis=1), members[:, first:last]
    varied = _varied(training)
    scores = np.tile((held_out == training[:, :1]).mean(axis=1), (len(STRENGTHS), 1))
    if varied.any():
        rest, share = inputs.without(first, last), training[varied].mean(axis=1)
        path = _path(standard, rest, members[varied], share, STRENGTHS[:, None])
        decisions = [weights @ inputs.columns[:, first:last] for weights in path]
        scores[:, varied] = [((d > 0) == held_out[varied]).mean(axis=1) for d in decisions]
    return scores


def _path(
    standard: Standard, inputs: Inputs, members: Members, share: Array, strengths: Iterable[Array]
) -> list[Array]:
    """Return weights (classes, d + 1) for each strength in turn, each found from the one before.

    The first starts from the intercept alone, at the log odds of the class's share of examples.
    """
    signs, n = np.where(members, -1.0, 1.0), inputs.count
    weights = np.zeros((len(members), len(inputs.columns)))
    weights[:, -1] = np.log(share / (1 - share))
    allowed = np.minimum(SLOPE * n * np.minimum(share, 1 - share), LBFGS_SLOPE * n / standard.reach)
    points, path = evaluate(inputs, signs, weights), []
    for strength in strengths:
        penalties = standard.penalties(np.broadcast_to(strength, len(members)))
        points = minimise(inputs, signs, penalties, points, allowed)
        path.append(points.weights)
    return path


def _varied(members: Members) -> NDArray[np.bool_]:
    """Return which classes have both examples that belong to them and examples that do not."""
    return np.logical_and(members.any(axis=1), ~members.all(axis=1))


def _folds(n: int) -> list[tuple[int, int]]:
    """Return first and last + 1 of each unshuffled fold; the first n mod 5 are longer by one."""
    edges = np.cumsum([0] + [n // FOLDS + (fold < n % FOLDS) for fold in range(FOLDS)])
    return list(pairwise(edges.tolist()))


def _constant_fits(labels: Labels, classes: Labels) -> int:
    """Return the number of pairs of fold and class with nothing to learn."""
    members = labels == classes[:, None]
    parts = [np.delete(members, slice(*fold), axis=1) for fold in _folds(len(labels))]
    return sum(int((~_varied(part)).sum()) for part in parts)


def _fit_all_classes(codes: Array, labels: Labels, classes: Labels) -> tuple[Array, Array, Array]:
    """Fit all classes with one C."""
    model = LogisticRegressionCV(
        Cs=STRENGTHS,
        cv=KFold(FOLDS),
        scoring="accuracy",
        l1_ratios=(0,),
        use_legacy_attributes=False,
    )
    with warnings.catch_warnings():  # 100 iterations are part of the protocol
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(codes, labels)
    return model.coef_, model.intercept_, np.full(len(model.coef_), model.C_)
