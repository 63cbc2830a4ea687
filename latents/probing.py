"""What supervised scores need of a model: labelled codes, pairs and votes, from one encoding.

disentanglement_lib encodes every image anew at each look: about three million passes through the
encoder for one model. Where an image always looks the same, its code is looked up here instead, in
a table of the distinct images that were drawn; where every look is another one, each is encoded.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from latents.batches import ImageSource
from latents.encoding import encode_rows
from latents.evaluation_sets import Evaluation, Pairs, Split, Votes
from latents.factors import Factors
from latents.vae import VAE

BATCH = 64  # images that share a factor, or pairs of them, in one point
POINTS_AT_ONCE = 512
Rows = NDArray[np.int64]
Codes = NDArray[np.float32]
# Rows and a random stream -> mean and sampled codes of one look at each, (n, d).
Encoder = Callable[[Rows, np.random.RandomState], dict[str, Codes]]


@dataclass(frozen=True)
class Sizes:
    """How much is drawn."""

    training: tuple[int, ...]  # examples to learn from; points of pairs and votes: the largest
    test: int


def stream(name: str, seed: int) -> np.random.RandomState:
    """A stream of its own for everything that is drawn: one more changes no other."""
    digest = hashlib.sha256(f"{name} {seed}".encode()).digest()
    return np.random.RandomState(int.from_bytes(digest[:4], "little"))


def evaluate(
    vae: VAE, images: ImageSource, sizes: Sizes, *, images_seed: int, seed: int
) -> dict[str, Evaluation]:
    """Of the mean and of the sampled representation.

    `images_seed` draws the images, the same for all models; `seed` the posterior samples.
    """
    plan = draw_plan(images.factors, sizes, images_seed)
    encoder = table_encoder(vae, images, plan) if images.variation is None else None
    encoder = encoder or fresh_encoder(vae, images)
    return encode_plan(plan, encoder, images.factors, seed)


@dataclass(frozen=True)
class Plan:
    """Rows of every image that will be looked at."""

    splits: dict[int, tuple[Rows, Rows]]  # training size -> rows to learn from and to be tested on
    pairs: tuple[Rows, Rows, Rows]  # (points, 64) twice, and the factor each point's pairs share
    votes: tuple[Rows, Rows]  # (points, 64), and the factor that each batch shares
    spread: Rows  # of the whole dataset, for the global variances
    training_points: int

    def rows(self) -> Rows:
        splits = [rows for split in self.splits.values() for rows in split]
        drawn = [*splits, *self.pairs[:2], self.votes[0], self.spread]
        return np.unique(np.concatenate([rows.ravel() for rows in drawn]))


def draw_plan(factors: Factors, sizes: Sizes, seed: int) -> Plan:
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
    """BetaVAE score: each point has 64 pairs, every pair alike in the point's factor."""
    labels = random.randint(len(factors.latent), size=points)
    first = factors.draw_rows(random, points * BATCH).reshape(points, BATCH)
    second = np.empty_like(first)
    for label, factor in enumerate(factors.latent):
        mine = labels == label
        drawn = factors.draw_sharing(random, first[mine].ravel(), factor)
        second[mine] = drawn.reshape(-1, BATCH)
    return first, second, labels


def draw_votes(factors: Factors, random: np.random.RandomState, points: int) -> tuple[Rows, Rows]:
    """FactorVAE score: each point has 64 images, all alike in the point's factor."""
    labels = random.randint(len(factors.latent), size=points)
    anchors = factors.draw_rows(random, points)
    batches = np.empty((points, BATCH), np.int64)
    for label, factor in enumerate(factors.latent):
        mine = labels == label
        drawn = factors.draw_sharing(random, anchors[mine].repeat(BATCH), factor)
        batches[mine] = drawn.reshape(-1, BATCH)
    return batches, labels


def table_encoder(vae: VAE, images: ImageSource, plan: Plan) -> Encoder:
    """Encode each distinct image once; afterwards codes are looked up."""
    distinct = plan.rows()
    encoded = encode_rows(vae, images, torch.from_numpy(distinct), torch.Generator(images.device))
    means, logvars = (codes.cpu().numpy() for codes in encoded)

    def look_up(rows: Rows, random: np.random.RandomState) -> dict[str, Codes]:
        place = np.searchsorted(distinct, rows)
        return sample(means[place], logvars[place], random)

    return look_up


def fresh_encoder(vae: VAE, images: ImageSource) -> Encoder:
    """Encode each look anew, with its own tint, noise or crop."""

    def encode(rows: Rows, random: np.random.RandomState) -> dict[str, Codes]:
        generator = torch.Generator(images.device).manual_seed(int(random.randint(2**31)))
        encoded = encode_rows(vae, images, torch.from_numpy(rows), generator)
        means, logvars = (codes.cpu().numpy() for codes in encoded)
        return sample(means, logvars, random)

    return encode


def sample(means: Codes, logvars: Codes, random: np.random.RandomState) -> dict[str, Codes]:
    """Both representations of one look: the sampled one has noise of its own."""
    noise = random.standard_normal(means.shape).astype(np.float32)
    return {"mean": means, "sampled": (means + np.exp(logvars / 2) * noise).astype(np.float32)}


def encode_plan(plan: Plan, encoder: Encoder, factors: Factors, seed: int) -> dict[str, Evaluation]:
    splits = {
        size: encode_split(rows, encoder, factors, stream(f"split {size}", seed))
        for size, rows in plan.splits.items()
    }
    pairs = encode_pairs(plan, encoder, stream("pairs", seed))
    votes = encode_votes(plan, encoder, stream("votes", seed))
    return {
        name: Evaluation(
            splits={size: made[name] for size, made in splits.items()},
            pairs=pairs[name],
            votes=votes[name],
        )
        for name in ("mean", "sampled")
    }


def both(
    encoder: Encoder, rows: Rows, random: np.random.RandomState
) -> dict[str, NDArray[np.float32]]:
    """Mean and sampled codes of looks at images, (…, d)."""
    codes = encoder(rows.ravel(), random)
    return {name: code.reshape(*rows.shape, -1) for name, code in codes.items()}


def encode_split(
    rows: tuple[Rows, Rows], encoder: Encoder, factors: Factors, random: np.random.RandomState
) -> dict[str, Split]:
    train, test = (both(encoder, some, random) for some in rows)
    known = [factors.factors(some)[:, list(factors.latent)] for some in rows]
    return {name: Split(train[name], known[0], test[name], known[1]) for name in train}


def encode_pairs(plan: Plan, encoder: Encoder, random: np.random.RandomState) -> dict[str, Pairs]:
    first, second, labels = plan.pairs

    def features(some: slice) -> dict[str, Any]:
        a, b = (both(encoder, rows[some], random) for rows in (first, second))
        return {name: np.abs(a[name] - b[name]).mean(axis=1) for name in a}

    made = _in_parts(features, len(labels))
    n = plan.training_points
    return {
        name: Pairs(codes[:n], labels[:n], codes[n:], labels[n:]) for name, codes in made.items()
    }


def encode_votes(plan: Plan, encoder: Encoder, random: np.random.RandomState) -> dict[str, Votes]:
    batches, labels = plan.votes

    def variances(some: slice) -> dict[str, Any]:
        codes = both(encoder, batches[some], random)
        return {name: code.var(axis=1, ddof=1) for name, code in codes.items()}

    spread = both(encoder, plan.spread, random)
    made = _in_parts(variances, len(labels))
    n = plan.training_points
    return {
        name: Votes(
            global_variances=spread[name].var(axis=0, ddof=1),
            train_variances=codes[:n],
            train_labels=labels[:n],
            test_variances=codes[n:],
            test_labels=labels[n:],
        )
        for name, codes in made.items()
    }


def _in_parts(
    compute: Callable[[slice], dict[str, Any]], points: int
) -> dict[str, NDArray[np.float32]]:
    """A part of the points at a time: their images would not fit into memory together."""
    starts = range(0, points, POINTS_AT_ONCE)
    parts = [compute(slice(start, start + POINTS_AT_ONCE)) for start in starts]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
