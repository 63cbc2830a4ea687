"""Scores with ground truth against obvious procedures, one code and one factor at a time."""

import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import mutual_info_score, roc_auc_score

from latents.evaluation.evaluation_sets import Pairs, Split, Votes
from latents.evaluation.information import discretise
from latents.evaluation.metrics import (
    beta_vae_score,
    dci,
    factor_vae_score,
    irs,
    modularity_explicitness,
    mutual_information_gap,
    sap_score_continuous,
)
from tests.unit.evaluation import encoders


@pytest.fixture(scope="module")
def split() -> Split:
    """Rotated and noisy codes, of which no score is at either end."""
    split = encoders.make_split(encoders.rotated)
    noise = np.random.default_rng(0).normal(scale=0.2, size=split.train_codes.shape)
    return Split(
        split.train_codes + noise, split.train_factors, split.test_codes, split.test_factors
    )


def information(split: Split) -> np.ndarray:
    codes = discretise(split.train_codes, 20)
    return np.array([[mutual_info_score(a, v) for v in split.train_factors.T] for a in codes.T])


def test_mutual_information_gap(split):
    gaps = []
    for row, factor in zip(information(split).T, split.train_factors.T, strict=True):
        best, second = sorted(row, reverse=True)[:2]
        gaps.append((best - second) / mutual_info_score(factor, factor))
    score = mutual_information_gap.score(split.train_codes, split.train_factors)
    assert score == pytest.approx(np.mean(gaps), abs=1e-12)


def test_the_gap_of_a_rotated_gaussian_differs_although_its_distribution_does_not():
    """Same law, other codes: what makes disentanglement unidentifiable from the data alone."""
    codes = np.random.default_rng(0).normal(size=(5000, 3))
    factors = discretise(codes, 5)
    turned = codes @ encoders.ROTATION
    assert np.cov(turned.T) == pytest.approx(np.cov(codes.T), abs=0.1)
    assert mutual_information_gap.score(codes, factors) > 0.8
    assert mutual_information_gap.score(turned, factors) < 0.3


def test_modularity(split):
    scores = []
    for row in information(split) ** 2:
        scores.append(1 - (row.sum() - row.max()) / (row.max() * (len(row) - 1)))
    found = modularity_explicitness.score(split, seed=0, trees=1)["modularity"]
    assert found == pytest.approx(np.mean(scores), abs=1e-12)


def test_modularity_of_one_factor_is_undefined_and_of_a_useless_code_zero():
    assert np.isnan(modularity_explicitness.modularity(np.ones((3, 1))))
    assert modularity_explicitness.modularity(np.array([[0.0, 0.0], [1.0, 0.0]])) == 0.5


def test_explicitness(split):
    mean, deviation = split.train_codes.mean(axis=0), split.train_codes.std(axis=0)
    train, test = (split.train_codes - mean) / deviation, (split.test_codes - mean) / deviation
    areas = []
    for known, asked in zip(split.train_factors.T, split.test_factors.T, strict=True):
        model = LogisticRegression().fit(train, known)
        areas.append(roc_auc_score(asked, model.predict_proba(test), multi_class="ovr"))
    found = modularity_explicitness.score(split, seed=0, trees=1)["explicitness_test"]
    assert found == pytest.approx(np.mean(areas), abs=1e-9)


def test_sap_score_continuous(split):
    gaps = []
    for factor in split.train_factors.T:
        squared = sorted(np.corrcoef(code, factor)[0, 1] ** 2 for code in split.train_codes.T)
        gaps.append(squared[-1] - squared[-2])
    score = sap_score_continuous.score(split.train_codes, split.train_factors)
    assert score == pytest.approx(np.mean(gaps), abs=1e-12)


def test_dci(split):
    importance, correct = [], []
    for known, asked in zip(split.train_factors.T, split.test_factors.T, strict=True):
        model = GradientBoostingClassifier(n_estimators=5, random_state=1)
        model.fit(split.train_codes, known)
        importance.append(model.feature_importances_)
        correct.append((model.predict(split.test_codes) == asked).mean())
    matrix = np.array(importance).T  # (codes, factors)
    per_code = [1 - entropy(row + 1e-11, base=3) for row in matrix]
    per_factor = [1 - entropy(column + 1e-11, base=3) for column in matrix.T]
    found = dci.score(split, seed=1, trees=5)
    assert found["disentanglement"] == pytest.approx(per_code @ matrix.sum(axis=1) / 3, abs=1e-12)
    assert found["completeness"] == pytest.approx(np.mean(per_factor), abs=1e-12)
    assert found["informativeness_test"] == pytest.approx(np.mean(correct), abs=1e-12)


@pytest.mark.parametrize(
    ("importance", "expected"),
    [
        (np.eye(3), 1),
        (np.ones((3, 4)), 0),
        (np.zeros((3, 4)), 0),
        ([[1, 0], [0, 0]], 1),
        ([[1, 0], [0.5, 0.5]], 0.5),
    ],
)
def test_concentration_of_known_matrices(importance, expected):
    found = dci.concentration(np.array(importance, dtype=float))
    assert found == pytest.approx(expected, abs=1e-8)


def test_irs(split):
    codes, factors = split.train_codes, split.train_factors
    scores, weights = [], []
    for code in codes.T:
        largest, robust = max(abs(code - code.mean())), []
        for factor in factors.T:
            groups = [code[factor == value] for value in set(factor)]
            spread = [np.quantile(abs(group - group.mean()), 0.99) for group in groups]
            robust.append(1 - np.mean(spread) / largest)
        scores.append(max(robust))
        weights.append(largest)
    expected = np.average(scores, weights=weights)
    assert irs.score(codes, factors) == pytest.approx(expected, abs=1e-12)


def test_irs_groups_the_values_of_a_factor_of_more_than_twenty():
    factors = np.random.default_rng(0).integers(40, size=(2000, 2))
    codes = factors.astype(float)
    assert 0.9 < irs.score(codes, factors) < 1
    assert irs.score(codes // 2, factors // 2) == 1


def test_factor_vae_score_counts_votes():
    """The third code hardly varies; the second is chosen for factor 1 twice and for 0 once."""
    votes = Votes(
        global_variances=np.array([1.0, 4.0, 0.0024]),
        train_variances=np.array([[0.1, 3, 0], [0.9, 0.4, 0], [0.5, 0.4, 0], [0.3, 0.8, 0]]),
        train_labels=np.array([0, 1, 1, 0]),
        test_variances=np.array([[0.1, 3, 0], [0.1, 3, 0], [0.9, 0.4, 0]]),
        test_labels=np.array([0, 1, 1]),
    )
    assert factor_vae_score.score(votes) == {"train": 0.75, "test": pytest.approx(2 / 3)}


def test_factor_vae_score_keeps_a_code_of_just_the_least_deviation():
    votes = encoders.make_votes(encoders.one_code)
    small = Votes(
        np.array([0.0025]),
        *(
            getattr(votes, name)
            for name in ("train_variances", "train_labels", "test_variances", "test_labels")
        ),
    )
    assert factor_vae_score.score(small)["train"] > 0


def test_beta_vae_score_names_the_shared_factor_by_one_line_per_factor():
    """Each factor in turn is the one whose code differs least."""
    labels = np.arange(300) % 3
    features = 1 - 0.9 * np.eye(3)[labels]
    swapped = (labels + (np.arange(300) < 30)) % 3  # a tenth of the test is mislabelled
    pairs = Pairs(features, labels, features, swapped)
    assert beta_vae_score.score(pairs) == {"train": 1, "test": 0.9}
