"""Our logistic regression against scikit-learn's, and against the definition of a minimum."""

import subprocess
import sys
import warnings
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import KFold
from sklearn.multiclass import OneVsRestClassifier

from latents.evaluation import newton
from latents.evaluation.logistic import STRENGTHS, Logistic, _folds, fit_logistic, fit_multinomial
from latents.runtime.errors import Problem
from tests.unit.evaluation.labelled_codes import OUT_OF_REACH, REACHED, case, clusters

SLOPPY = {"tol": 1e-4, "max_iter": 100}  # scikit-learn's default, and the protocol's
CONVERGED = {"tol": 1e-10, "max_iter": 20_000}


@dataclass(frozen=True)
class Theirs:
    weights: np.ndarray
    intercepts: np.ndarray
    strengths: np.ndarray
    model: OneVsRestClassifier


def theirs(codes, labels, settings) -> Theirs:
    one = LogisticRegressionCV(
        Cs=10,
        cv=KFold(5),
        scoring="accuracy",
        l1_ratios=(0,),
        use_legacy_attributes=False,
        **settings,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = OneVsRestClassifier(one).fit(codes, labels)
    parts = model.estimators_
    return Theirs(
        np.concatenate([part.coef_ for part in parts]),
        np.concatenate([part.intercept_ for part in parts]),
        np.array([part.C_ for part in parts]),
        model,
    )


@cache
def fitted(name: str) -> Logistic:
    return fit_logistic(*case(name))


@cache
def protocol(name: str) -> Theirs:
    return theirs(*case(name), SLOPPY)


def asked(ours: Logistic) -> slice:
    """scikit-learn answers for the second of two classes only."""
    return slice(1, None) if len(ours.classes) == 2 else slice(None)


def objectives(codes, labels, classes, weights, intercepts, strengths) -> np.ndarray:
    signs = np.where(labels[:, None] == classes, -1, 1)
    losses = np.logaddexp(0, (codes @ weights.T + intercepts) * signs).sum(axis=0)
    return strengths * losses + (weights**2).sum(axis=1) / 2


def slopes(codes, labels, classes, weights, intercepts, strengths) -> np.ndarray:
    """Largest derivative of the objective of each class, in raw weights and intercept."""
    signs = np.where(labels[:, None] == classes, -1, 1)
    margins = np.clip((codes @ weights.T + intercepts) * signs, -700, 700)
    pull = strengths * signs / (1 + np.exp(-margins))
    return np.maximum(np.abs(codes.T @ pull + weights.T).max(axis=0), np.abs(pull.sum(axis=0)))


@pytest.mark.parametrize("name", REACHED)
def test_strengths_weights_and_predictions_are_those_of_scikit_learn(name):
    codes, labels = case(name)
    ours, reference = fitted(name), theirs(codes, labels, CONVERGED)
    mine = asked(ours)
    assert ours.strengths[mine] == pytest.approx(reference.strengths)
    size = np.abs(reference.weights).max(axis=1, keepdims=True)
    assert (np.abs(ours.weights[mine] - reference.weights) <= 1e-4 * size).all()
    assert ours.intercepts[mine] == pytest.approx(reference.intercepts, rel=1e-4, abs=1e-4)
    assert (ours.predict(codes) == reference.model.predict(codes)).all()


@pytest.mark.parametrize("name", REACHED)
def test_scikit_learn_as_the_protocol_has_it_predicts_nearly_the_same(name):
    """It stops early, and where Cs are nearly tied may choose another one."""
    codes, _ = case(name)
    ours, reference = fitted(name), protocol(name)
    same = np.isclose(ours.strengths[asked(ours)], reference.strengths)
    assert same.sum() >= len(same) - 1
    assert (ours.predict(codes) == reference.model.predict(codes)).mean() >= 0.95


def test_test_accuracy_is_that_of_scikit_learn_as_the_protocol_has_it():
    codes, labels = clusters(3000)
    test_codes, truth = clusters(6000)[0][3000:], clusters(6000)[1][3000:]
    ours, reference = fit_logistic(codes, labels), theirs(codes, labels, SLOPPY)
    predicted = ours.predict(test_codes), reference.model.predict(test_codes)
    accuracies = [(labels == truth).mean() for labels in predicted]
    assert accuracies[0] == pytest.approx(accuracies[1], abs=0.005)
    assert (predicted[0] == predicted[1]).mean() > 0.99


@pytest.mark.parametrize("name", REACHED + OUT_OF_REACH)
def test_the_objective_is_never_above_scikit_learns(name):
    codes, labels = case(name)
    ours, reference = fitted(name), protocol(name)
    mine = asked(ours)
    same = np.isclose(ours.strengths[mine], reference.strengths)
    about = (codes, labels, ours.classes[mine][same])
    here = (ours.weights[mine][same], ours.intercepts[mine][same], ours.strengths[mine][same])
    there = (reference.weights[same], reference.intercepts[same], reference.strengths[same])
    assert (objectives(*about, *here) <= objectives(*about, *there) * (1 + 1e-10)).all()


@pytest.mark.parametrize("name", REACHED + OUT_OF_REACH)
def test_the_slope_vanishes_at_the_minimum(name):
    codes, labels = case(name)
    ours = fitted(name)
    about = (codes, labels, ours.classes)
    there = slopes(*about, ours.weights, ours.intercepts, ours.strengths)
    nowhere = slopes(*about, ours.weights * 0, ours.intercepts * 0, ours.strengths)
    assert (there <= 1e-6 * nowhere).all()
    assert (there <= 1e-4 * ours.strengths * len(codes)).all()  # where L-BFGS is content


@pytest.mark.parametrize("name", OUT_OF_REACH)
def test_no_scale_of_codes_takes_many_steps(name, monkeypatch):
    steps = []
    evaluate_ = newton._evaluate
    monkeypatch.setattr(newton, "_evaluate", lambda *a: steps.append(1) or evaluate_(*a))
    fit_logistic(*case(name))
    assert len(steps) < 51 * 12  # fits of five folds and ten strengths, and of all examples


@pytest.mark.parametrize("n", [5, 10, 12, 1003])
def test_folds_are_those_of_scikit_learn(n):
    parts = [(test[0], test[-1] + 1) for _, test in KFold(5).split(np.zeros(n))]
    assert _folds(n) == parts


def test_classes_missing_from_folds_are_counted():
    codes = np.random.default_rng(0).normal(size=(10, 2))
    labels = np.array([7, 3, 0, 0, 0, 0, 0, 0, 0, 0])  # 7 and 3 are in the first fold only
    model = fit_logistic(codes, labels)
    assert model.constant == 3  # there 0 is alone, and neither 3 nor 7 is seen
    assert set(model.predict(codes)) <= {0, 3, 7}


def test_two_classes_of_which_a_fold_sees_one():
    codes, labels = np.arange(10.0)[:, None], np.array([1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    model = fit_logistic(codes, labels)
    assert model.constant == 2
    assert (model.predict(codes) == theirs(codes, labels, CONVERGED).model.predict(codes)).all()


@pytest.mark.parametrize("fit", [fit_logistic, fit_multinomial])
def test_a_single_class_is_predicted_always(fit):
    model = fit(np.eye(6), np.full(6, 4))
    assert model.predict(np.ones((3, 6))).tolist() == [4, 4, 4]
    assert model.constant == 1


@pytest.mark.parametrize("classes", [2, 5])
def test_multinomial_is_scikit_learns(classes):
    codes, labels = clusters(200, classes=classes)
    model = fit_multinomial(codes, labels)
    reference = LogisticRegressionCV(
        cv=KFold(5), scoring="accuracy", l1_ratios=(0,), use_legacy_attributes=False
    ).fit(codes, labels)
    assert (model.predict(codes) == reference.predict(codes)).all()
    assert (model.strengths == reference.C_).all()


def test_classes_in_groups_are_fitted_as_all_at_once(monkeypatch):
    codes, labels = clusters(200)
    whole = fit_logistic(codes, labels)
    monkeypatch.setattr("latents.evaluation.logistic.CLASSES_AT_ONCE", 2)
    parts = fit_logistic(codes, labels)
    assert (parts.strengths == whole.strengths).all()
    assert parts.weights == pytest.approx(whole.weights, abs=1e-6)


def test_the_same_codes_give_the_same_bits():
    codes, labels = clusters(300)
    first, second = fit_logistic(codes, labels), fit_logistic(codes.copy(), labels.copy())
    assert (first.weights == second.weights).all()
    assert (first.intercepts == second.intercepts).all()


def test_single_precision_codes_are_computed_in_double():
    codes, labels = clusters(200)
    single = codes.astype(np.float32)
    assert (
        fit_logistic(single, labels).weights
        == fit_logistic(single.astype(np.float64), labels).weights
    ).all()


def test_the_strengths_are_ten_from_1e_4_to_1e4():
    assert STRENGTHS.tolist() == np.logspace(-4, 4, 10).tolist()


@pytest.mark.parametrize(
    ("codes", "told"), [(np.ones((4, 1)), "4 examples"), (np.full((9, 1), np.nan), "not finite")]
)
def test_codes_that_cannot_be_used_are_refused(codes, told):
    with pytest.raises(Problem, match=told):
        fit_logistic(codes, np.arange(len(codes)) % 2)


def test_torch_is_not_imported():
    names = ("logistic", "boosting", "boosting_lightgbm")
    modules = ", ".join(f"latents.evaluation.metrics.downstream_{name}" for name in names)
    code = f"import {modules}, sys; sys.exit('torch' in sys.modules or 'lightgbm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
