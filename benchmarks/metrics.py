"""Seconds that a metric takes, against the obvious way to compute the same with scikit-learn.

    python benchmarks/metrics.py              about two minutes on one thread
    python benchmarks/metrics.py --rounds 3   medians of three rounds, in turns

Every comparison gives both sides the same inputs and says how well their results agree.
"""

import argparse
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before numpy is imported

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import KFold
from sklearn.multiclass import OneVsRestClassifier

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.evaluation_sets import Split
from latents.logistic import fit_logistic

SIZES = (3, 6, 40, 32, 32)  # the factors of dSprites


@dataclass(frozen=True)
class Comparison:
    """Two ways from the same inputs, and a line about how well their results agree."""

    inputs: Any
    ours: Callable[[Any], Any]
    reference: Callable[[Any], Any]
    agreement: Callable[[Any, Any, Any], str]


def some_split(train: int, test: int) -> Split:
    """Seven codes that mix the factors, with noise, and three of noise alone."""
    random = np.random.default_rng(0)
    factors = np.stack([random.integers(size, size=train + test) for size in SIZES], axis=1)
    mixed = 2 * factors / np.array(SIZES) @ random.normal(size=(5, 7)) / 1.5
    codes = np.hstack([mixed, np.zeros((train + test, 3))])
    codes += random.normal(size=codes.shape) * ([0.4] * 7 + [1.0] * 3)
    codes = codes.astype(np.float32)
    return Split(codes[:train], factors[:train], codes[train:], factors[train:])


def our_logistic(split: Split) -> np.ndarray:
    models = [fit_logistic(split.train_codes, labels) for labels in split.train_factors.T]
    return np.stack([model.predict(split.test_codes) for model in models], axis=1)


def plain_logistic(split: Split) -> np.ndarray:
    one = LogisticRegressionCV(
        Cs=10,
        cv=KFold(5),
        scoring="accuracy",
        max_iter=100,
        l1_ratios=(0,),
        use_legacy_attributes=False,
    )
    models = [
        OneVsRestClassifier(one).fit(split.train_codes, labels) for labels in split.train_factors.T
    ]
    return np.stack([model.predict(split.test_codes) for model in models], axis=1)


def agreement(split: Split, ours: np.ndarray, reference: np.ndarray) -> str:
    accuracies = [(labels == split.test_factors).mean() for labels in (ours, reference)]
    same = (ours == reference).mean()
    return f"accuracies {accuracies[0]:.4f} and {accuracies[1]:.4f}, {same:.2%} of labels the same"


def downstream_logistic(examples: int) -> Comparison:
    return Comparison(some_split(examples, 5000), our_logistic, plain_logistic, agreement)


COMPARISONS = {
    "downstream_logistic, 10,000 examples": lambda: downstream_logistic(10_000),
    "downstream_logistic, 1000 examples": lambda: downstream_logistic(1000),
    "downstream_logistic, 100 examples": lambda: downstream_logistic(100),
}


def timed(compute: Callable[[Any], Any], inputs: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    result = compute(inputs)
    return time.perf_counter() - started, result


def main(rounds: int) -> None:
    print(f"{'comparison':40}{'ours, s':>10}{'reference':>11}{'ratio':>8}  agreement")
    for name, build in COMPARISONS.items():
        pair = build()
        runs = [
            [timed(way, pair.inputs) for way in (pair.ours, pair.reference)] for _ in range(rounds)
        ]
        ours, reference = (statistics.median(run[i][0] for run in runs) for i in (0, 1))
        told = pair.agreement(pair.inputs, *(result for _, result in runs[-1]))
        print(f"{name:40}{ours:10.2f}{reference:11.2f}{reference / ours:8.1f}  {told}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1)
    warnings.simplefilter("ignore", ConvergenceWarning)  # 100 iterations are part of the protocol
    main(parser.parse_args().rounds)
