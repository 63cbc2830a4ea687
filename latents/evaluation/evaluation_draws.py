"""Labelled codes, pairs and votes for the supervised scores of a model, from one encoding.

disentanglement_lib encodes an image every time it is drawn: about three million passes through the
encoder for one model. Without random augmentation, codes are looked up here instead, in a table of
the distinct images that were drawn; with it, an image is encoded every time it is drawn.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latents.data.factors import Factors
from latents.evaluation.evaluation_sets import Evaluation, Pairs, Split, Votes

BATCH = 64  # images that share a factor, or pairs of them, in one point
POINTS_AT_ONCE = 512
Rows = NDArray[np.int64]
Codes = NDArray[np.float32]
# Rows and a random stream -> mean and sampled codes of these images, (n, d).
Encoder = Callable[[Rows, np.random.RandomState], dict[str, Codes]]


@dataclass(frozen=True)
class Sizes:
    """Numbers of examples that are drawn."""

    training: tuple[int, ...]  # numbers of examples; pairs and votes have the largest
    test: int


def stream(name: str, seed: int) -> np.random.RandomState:
    """Return a random stream for a name, independent of the streams of other names."""
    digest = hashlib.sha256(f"{name} {seed}".encode()).digest()
    return np.random.RandomState(int.from_bytes(digest[:4], "little"))


@dataclass(frozen=True)
class Plan:
    """Rows of every image that will be encoded."""

    splits: dict[int, tuple[Rows, Rows]]  # training size -> training and test rows
    pairs: tuple[Rows, Rows, Rows]  # (points, 64) twice, and the factor each point's pairs share
    votes: tuple[Rows, Rows]  # (points, 64), and the factor that each batch shares
    spread: Rows  # of the whole dataset, for the global variances
    training_points: int

    def rows(self) -> Rows:
        """Return the distinct rows."""
        splits = [rows for split in self.splits.values() for rows in split]
        drawn = [*splits, *self.pairs[:2], self.votes[0], self.spread]
        return np.unique(np.concatenate([rows.ravel() for rows in drawn]))


def draw_plan(factors: Factors, sizes: Sizes, seed: int) -> Plan:
    """Draw the images of all splits, pairs and votes."""
    points = max(sizes.training) + sizes.test
    splits = {}
    for size in sizes.training:
        random = stream(f"split {size}", seed)
        splits[size] = factors.draw_rows(random, size), factors.draw_rows(random, sizes.test)
    return Plan(
        splits=splits,
        pairs=draw_pairs(factors, stream("pairs", seed), points),
        votes=draw_votes(factors, stream("votes", seed), points),
        spread=factors.draw_rows(stream("spread", seed), max(sizes.training)),
        training_points=max(sizes.training),
    )


def draw_pairs(
    factors: Factors, random: np.random.RandomState, points: int
) -> tuple[Rows, Rows, Rows]:
    """Draw for the BetaVAE score: each point has 64 pairs, all alike in the point's factor."""
    labels = random.randint(len(factors.latent), size=points)
    first = factors.draw_rows(random, points * BATCH).reshape(points, BATCH)
    second = np.empty_like(first)
    for label, factor in enumerate(factors.latent):
        alike = labels == label
        drawn = factors.draw_sharing(random, first[alike].ravel(), factor)
        second[alike] = drawn.reshape(-1, BATCH)
    return first, second, labels


def draw_votes(factors: Factors, random: np.random.RandomState, points: int) -> tuple[Rows, Rows]:
    """Draw for the FactorVAE score: each point has 64 images, all alike in the point's factor."""
    labels = random.randint(len(factors.latent), size=points)
    anchors = factors.draw_rows(random, points)
    batches = np.empty((points, BATCH), np.int64)
    for label, factor in enumerate(factors.latent):
        alike = labels == label
        drawn = factors.draw_sharing(random, anchors[alike].repeat(BATCH), factor)
        batches[alike] = drawn.reshape(-1, BATCH)
    return batches, labels


def encode_plan(plan: Plan, encoder: Encoder, factors: Factors, seed: int) -> dict[str, Evaluation]:
    """Return the evaluations of the mean and of the sampled representation."""
    splits = {
        size: encode_split(rows, encoder, factors, stream(f"split {size}", seed))
        for size, rows in plan.splits.items()
    }
    pairs = encode_pairs(plan, encoder, stream("pairs", seed))
    votes = encode_votes(plan, encoder, stream("votes", seed))
    return {
        name: Evaluation(
            splits={size: split[name] for size, split in splits.items()},
            pairs=pairs[name],
            votes=votes[name],
        )
        for name in ("mean", "sampled")
    }


def encode_both(
    encoder: Encoder, rows: Rows, random: np.random.RandomState
) -> dict[str, NDArray[np.float32]]:
    """Return the mean and sampled codes of images, (…, d)."""
    codes = encoder(rows.ravel(), random)
    return {name: code.reshape(*rows.shape, -1) for name, code in codes.items()}


def encode_split(
    rows: tuple[Rows, Rows], encoder: Encoder, factors: Factors, random: np.random.RandomState
) -> dict[str, Split]:
    train, test = (encode_both(encoder, part, random) for part in rows)
    values = [factors.values_at(part)[:, list(factors.latent)] for part in rows]
    return {name: Split(train[name], values[0], test[name], values[1]) for name in train}


def encode_pairs(plan: Plan, encoder: Encoder, random: np.random.RandomState) -> dict[str, Pairs]:
    first, second, labels = plan.pairs

    def features(points: slice) -> dict[str, Any]:
        a, b = (encode_both(encoder, rows[points], random) for rows in (first, second))
        return {name: np.abs(a[name] - b[name]).mean(axis=1) for name in a}

    parts = _in_parts(features, len(labels))
    n = plan.training_points
    return {
        name: Pairs(codes[:n], labels[:n], codes[n:], labels[n:]) for name, codes in parts.items()
    }


def encode_votes(plan: Plan, encoder: Encoder, random: np.random.RandomState) -> dict[str, Votes]:
    batches, labels = plan.votes

    def variances(points: slice) -> dict[str, Any]:
        codes = encode_both(encoder, batches[points], random)
        return {name: code.var(axis=1, ddof=1) for name, code in codes.items()}

    spread = encode_both(encoder, plan.spread, random)
    parts = _in_parts(variances, len(labels))
    n = plan.training_points
    return {
        name: Votes(
            global_variances=spread[name].var(axis=0, ddof=1),
            train_variances=codes[:n],
            train_labels=labels[:n],
            test_variances=codes[n:],
            test_labels=labels[n:],
        )
        for name, codes in parts.items()
    }


def _in_parts(
    compute: Callable[[slice], dict[str, Any]], points: int
) -> dict[str, NDArray[np.float32]]:
    """Compute a part of the points at a time: their images would not fit into memory together."""
    starts = range(0, points, POINTS_AT_ONCE)
    parts = [compute(slice(start, start + POINTS_AT_ONCE)) for start in starts]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
