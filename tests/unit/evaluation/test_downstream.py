"""Downstream scores against scikit-learn, closed forms and factors that lack values."""

from math import isnan

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from latents.evaluation.downstream import efficiency, random_accuracy
from latents.evaluation.evaluation_sets import Split
from latents.evaluation.logistic import fit_logistic
from latents.evaluation.metrics import downstream_boosting, downstream_logistic
from latents.runtime.plugins import load

NAMES = ("downstream_logistic", "downstream_boosting", "downstream_boosting_lightgbm")
SIZES = {  # of the factors, and what guessing gives
    "dsprites": ((3, 6, 40, 32, 32), 0.1175),
    "smallnorb": ((5, 9, 18, 6), 0.1333),
    "cars3d": ((4, 24, 183), 0.0990),
}


def split(n: int = 200, sizes=(3, 4), m: int = 300, seed: int = 0) -> Split:
    """Codes are noisy mixtures of the factors."""
    random = np.random.default_rng(seed)
    factors = np.stack([random.integers(size, size=n + m) for size in sizes], axis=1)
    codes = factors @ random.normal(size=(len(sizes), 4)) + 0.3 * random.normal(size=(n + m, 4))
    return Split(codes[:n].astype(np.float32), factors[:n], codes[n:], factors[n:])


def metric(name: str):
    if name.endswith("lightgbm"):
        pytest.importorskip("lightgbm")
    return load("evaluation/metrics", name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [10, 100])
def test_codes_that_show_the_factors_beat_guessing(name, n):
    data = split(n)
    found = metric(name).score(data, seed=0, trees=20)["accuracy"]
    assert random_accuracy(data, seed=0) + 0.05 < found <= 1


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_score(name):
    scores = [metric(name).score(split(60), seed=3, trees=5) for _ in range(2)]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("name", NAMES)
def test_one_value_in_training_is_predicted_and_counted(name):
    data = split(40)
    factors = data.train_factors * [1, 0]
    alone = Split(data.train_codes, factors, data.test_codes, data.test_factors)
    score = metric(name).score(alone, seed=0, trees=3)
    assert score["missing_classes"] == 1
    assert score["accuracy"] >= (data.test_factors[:, 1] == 0).mean() / 2


@pytest.mark.parametrize("name", NAMES)
def test_values_unknown_to_training_are_wrong(name):
    data = split(40)
    strange = Split(data.train_codes, data.train_factors, data.test_codes, data.test_factors + 9)
    assert metric(name).score(strange, seed=0, trees=3)["accuracy"] == 0


@pytest.mark.parametrize("name", NAMES)
def test_one_variable_is_enough(name):
    data = split(40)
    one = Split(
        data.train_codes[:, :1], data.train_factors, data.test_codes[:, :1], data.test_factors
    )
    assert 0 < metric(name).score(one, seed=0, trees=3)["accuracy"] <= 1


def test_boosting_is_scikit_learns():
    data = split(150)
    right = []
    for i in range(2):
        model = GradientBoostingClassifier(
            n_estimators=15, max_depth=3, learning_rate=0.1, random_state=5
        )
        model.fit(data.train_codes, data.train_factors[:, i])
        right.append((model.predict(data.test_codes) == data.test_factors[:, i]).mean())
    score = downstream_boosting.score(data, seed=5, trees=15)
    assert score == {"accuracy": pytest.approx(np.mean(right), abs=1e-12), "missing_classes": 0}


def test_lightgbm_is_near_scikit_learns_boosting():
    data = split(500, m=1000)
    fast = metric("downstream_boosting_lightgbm").score(data, seed=0, trees=30)
    slow = downstream_boosting.score(data, seed=0, trees=30)
    assert fast["accuracy"] == pytest.approx(slow["accuracy"], abs=0.03)


def test_logistic_is_the_mean_over_factors():
    data = split(10, sizes=(3, 5))
    models = [fit_logistic(data.train_codes, labels) for labels in data.train_factors.T]
    right = [
        (model.predict(data.test_codes) == truth).mean()
        for model, truth in zip(models, data.test_factors.T, strict=True)
    ]
    score = downstream_logistic.score(data, seed=0, trees=1)
    assert score["accuracy"] == pytest.approx(np.mean(right), abs=1e-12)
    assert score["missing_classes"] == sum(model.constant for model in models) > 0


@pytest.mark.parametrize("name", SIZES)
def test_guessing_is_right_as_often_as_the_sizes_say(name):
    sizes, published = SIZES[name]
    expected = np.mean([1 / size for size in sizes])
    assert expected == pytest.approx(published, abs=6e-5)
    guesses = [random_accuracy(split(10_000, sizes, 5000, seed), seed=seed) for seed in range(8)]
    assert np.mean(guesses) == pytest.approx(expected, abs=0.003)


def test_guessing_is_seeded():
    data = split()
    assert random_accuracy(data, seed=1) == random_accuracy(data, seed=1)
    assert random_accuracy(data, seed=1) != random_accuracy(data, seed=2)


def test_efficiency_is_a_ratio_of_accuracies():
    assert efficiency({10: 0.1, 100: 0.3, 10_000: 0.6}) == pytest.approx(0.5)
    assert isnan(efficiency({100: 0.3}))
    assert isnan(efficiency({10_000: 0.6}))
