"""Made-up encoders from factors to codes, and all that the metrics take, made from them."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latents.evaluation.evaluation_sets import Pairs, Split, Votes
from latents.runtime.plugins import load
from latents.workflow.registry import registry

SIZES = (3, 4, 5)
TREES = 5
SAMPLES = 400
LOGVAR = -5.0  # of every posterior
BATCH = 16
Encode = Callable[[NDArray[np.int64]], NDArray[np.float64]]
MODULES = {name: load("evaluation/metrics", name) for name in registry("evaluation/metrics")}
ROTATION = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]


def names(*, takes: str) -> list[str]:
    return [name for name, module in MODULES.items() if takes == module.TAKES]


def perfect(factors: NDArray[np.int64]) -> NDArray[np.float64]:
    """One code per factor, of variance one, and a little noise that depends on the factors."""
    sizes = np.array(SIZES)
    scaled = (factors - (sizes - 1) / 2) / np.sqrt((sizes**2 - 1) / 12)
    return scaled + 0.01 * np.sin(1000 * factors.sum(axis=1, keepdims=True) + [0, 1, 2])


def rotated(factors: NDArray[np.int64]) -> NDArray[np.float64]:
    return perfect(factors) @ ROTATION


def permuted(factors: NDArray[np.int64]) -> NDArray[np.float64]:
    return perfect(factors)[:, [2, 0, 1]]


def with_constant(factors: NDArray[np.int64]) -> NDArray[np.float64]:
    """0.1 has no exact binary form: its variance need not round to zero."""
    return np.hstack([perfect(factors), np.full((len(factors), 1), 0.1)])


def constant(factors: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.full((len(factors), 3), 0.1)


def duplicated(factors: NDArray[np.int64]) -> NDArray[np.float64]:
    codes = perfect(factors)
    return np.hstack([codes, codes])


def one_code(factors: NDArray[np.int64]) -> NDArray[np.float64]:
    return perfect(factors)[:, :1]


def two_codes(factors: NDArray[np.int64]) -> NDArray[np.float64]:
    """Fewer than there are factors."""
    return perfect(factors)[:, :2]


def draw(count: int, seed: int) -> NDArray[np.int64]:
    random = np.random.default_rng(seed)
    return np.stack([random.integers(size, size=count) for size in SIZES], axis=1)


def make_split(encode: Encode, count: int = 400) -> Split:
    train, test = draw(count, 0), draw(count // 2, 1)
    return Split(encode(train), train, encode(test), test)


def make_pairs(encode: Encode, count: int = 400) -> Pairs:
    """Batches of pairs that share the factor named by the label."""
    labels, batches = shared_batches(count, 2 * BATCH)
    codes = np.stack([encode(batch) for batch in batches])
    features = np.abs(codes[:, :BATCH] - codes[:, BATCH:]).mean(axis=1)
    return Pairs(features[::2], labels[::2], features[1::2], labels[1::2])


def make_votes(encode: Encode, count: int = 400) -> Votes:
    labels, batches = shared_batches(count, BATCH)
    local = np.stack([encode(batch).var(axis=0, ddof=1) for batch in batches])
    overall = encode(draw(count, 2)).var(axis=0, ddof=1)
    return Votes(overall, local[::2], labels[::2], local[1::2], labels[1::2])


def shared_batches(count: int, size: int) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    labels = np.random.default_rng(0).integers(len(SIZES), size=count)
    batches = [draw(size, 100 + number) for number in range(count)]
    for label, batch in zip(labels, batches, strict=True):
        batch[:, label] = batch[0, label]
    return labels, batches


def score(module: ModuleType, encode: Encode, seed: int = 0) -> dict[str, float]:
    """Whatever the metric takes, made for it; a single number as the part `score`."""
    if module.TAKES == "pairs":
        return parts(module.score(make_pairs(encode)))
    if module.TAKES == "votes":
        return parts(module.score(make_votes(encode)))
    return score_split(module, make_split(encode), seed)


def score_split(module: ModuleType, split: Split, seed: int = 0) -> dict[str, float]:
    if module.TAKES == "codes":
        return parts(module.score(split.train_codes))
    if module.TAKES == "labelled":
        return parts(module.score(split.train_codes, split.train_factors))
    if module.TAKES == "posteriors":
        posteriors = split.train_codes, np.full_like(split.train_codes, LOGVAR)
        return parts(module.score(*posteriors, split.train_factors, samples=SAMPLES, seed=seed))
    return parts(module.score(split, seed=seed, trees=TREES))


def parts(result: Any) -> dict[str, float]:
    return result if isinstance(result, dict) else {"score": result}
