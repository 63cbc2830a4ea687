"""Newton's method for the logistic regression: never uphill, never infinite."""

import numpy as np
import pytest

from latents.evaluation import newton
from latents.evaluation.newton import Inputs, evaluate, minimise
from tests.unit.evaluation.labelled_codes import clusters


@pytest.mark.parametrize("scale", [1.0, 5.0])
def test_no_step_raises_the_objective(scale, monkeypatch):
    """Even from a start so far off that plain Newton steps would diverge."""
    codes, labels = clusters(200)
    inputs = Inputs.of(np.vstack([codes.T, np.ones(200)]))
    signs = np.where(labels == np.arange(5)[:, None], -1.0, 1.0)
    penalties = np.full((5, 7), 1e-3)
    begin = evaluate(inputs, signs, scale * np.random.default_rng(0).normal(size=(5, 7)))
    totals = []
    for steps in range(40):
        monkeypatch.setattr(newton, "STEPS", steps)
        points = minimise(inputs, signs, penalties, begin, np.zeros(5))
        totals.append(points.objective(penalties))
    assert (np.diff(totals, axis=0) <= 1e-12 * totals[-1]).all()
    assert (totals[-1] < 200 * np.log(2)).all()


def test_margins_too_large_for_exp_have_a_finite_loss():
    inputs = Inputs.of(np.array([[1000.0, -1.0]]))
    points = evaluate(inputs, np.ones((1, 2)), np.ones((1, 1)))
    assert points.loss[0] == pytest.approx(1000 + np.log1p(np.exp(-1)))
    assert points.slope[0] == pytest.approx(1000 - 1 / (1 + np.e))
