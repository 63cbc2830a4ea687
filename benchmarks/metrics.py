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
from unittest import mock

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before numpy is imported

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import mutual_info_score
from sklearn.model_selection import KFold
from sklearn.multiclass import OneVsRestClassifier

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.evaluation.evaluation_sets import Split
from latents.evaluation.logistic import fit_logistic
from latents.evaluation.metrics import averaged_mutual_information, chen_mig, mutual_information_gap
from latents.evaluation.representation import Representation
from latents.evaluation.scoring import score_representation
from latents.runtime.plugins import load
from latents.workflow.registry import registry

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


def our_information(split: Split) -> np.ndarray:
    scores = [averaged_mutual_information.score(split.train_codes)]
    return np.array(scores)


def plain_information(split: Split) -> np.ndarray:
    """Every ordered pair by scikit-learn, as the reference does."""
    labels = plain_bins(split.train_codes)
    total = sum(
        mutual_info_score(a, b)
        for i, a in enumerate(labels)
        for j, b in enumerate(labels)
        if i != j
    )
    return np.array([total / (len(labels) ** 2 - len(labels))])


def our_gap(split: Split) -> np.ndarray:
    return np.array([mutual_information_gap.score(split.train_codes, split.train_factors)])


def plain_gap(split: Split) -> np.ndarray:
    labels = plain_bins(split.train_codes)
    gaps = []
    for factor in split.train_factors.T:
        known = sorted(mutual_info_score(code, factor) for code in labels)
        gaps.append((known[-1] - known[-2]) / mutual_info_score(factor, factor))
    return np.array([np.mean(gaps)])


def plain_bins(codes: np.ndarray) -> list[np.ndarray]:
    codes = codes.astype(np.float64)
    return [np.digitize(code, np.histogram(code, 20)[1][:-1]) for code in codes.T]


def our_chen(split: Split) -> np.ndarray:
    """All gaps from 5,000 codes against 10,000 posteriors of ten latents, three of them passive."""
    logvar = np.tile([-4.0] * 7 + [0.0] * 3, (len(split.train_codes), 1))
    given = split.train_codes, logvar, split.train_factors
    return chen_mig.score_factors(*given, samples=5000, seed=0)


def plain_chen(split: Split) -> np.ndarray:
    """The same draws, with densities by torch: logsumexp of as much as fits into 40 MB."""
    import torch

    torch.set_num_threads(1)

    def density(codes: np.ndarray, mean: np.ndarray, deviation: np.ndarray) -> np.ndarray:
        code, means, deviations = (
            torch.from_numpy(array.astype(np.float32)) for array in (codes, mean, deviation)
        )
        gaussian = torch.distributions.Normal(means, deviations)
        parts = code.split(max(1, 10_000_000 // len(means)))
        logs = [torch.logsumexp(gaussian.log_prob(part[:, None]), dim=1) for part in parts]
        return torch.cat(logs).exp().numpy() / len(mean)

    with mock.patch.object(chen_mig, "mixture_density", density):
        return our_chen(split)


def difference(_: Any, ours: np.ndarray, reference: np.ndarray) -> str:
    return f"{ours[0]:.6f}, largest difference {np.abs(ours - reference).max():.1e}"


@dataclass(frozen=True)
class Probe:
    """A thirtieth of dSprites' images, and of the reference's passes through the encoder."""

    vae: Any
    images: Any
    plan: Any


def some_probe() -> Probe:
    import torch

    from latents.data.batches import ImageSource, StoredImages
    from latents.data.factors import FactorGrid
    from latents.data.images import ImageSet
    from latents.evaluation.evaluation_draws import Sizes, draw_plan
    from latents.models.vae import build_vae

    torch.set_num_threads(1)
    grid = FactorGrid(
        ("shape", "scale", "orientation", "x", "y"), (3, 4, 8, 16, 16), (0, 1, 2, 3, 4)
    )
    bits = np.random.RandomState(0).randint(256, size=(grid.images, 512)).astype(np.uint8)
    about = ImageSet("random bits", (1, 64, 64), grid, binary=True)
    images = ImageSource(StoredImages(about, bits, torch.device("cpu")))
    torch.manual_seed(0)
    vae = build_vae("conv", image_shape=(1, 64, 64), latents=10, width=1, initialisation="torch")
    return Probe(vae, images, draw_plan(grid, Sizes((333,), 167), 0))


def our_probe(probe: Probe) -> np.ndarray:
    from latents.encoding.evaluations import table_encoder

    return probe_scores(probe, table_encoder(probe.vae, probe.images, probe.plan))


def plain_probe(probe: Probe) -> np.ndarray:
    """Encode an image every time it is drawn, a batch of 64 at a time, as the reference does."""
    import torch

    from latents.encoding.evaluations import sample

    @torch.no_grad()
    def encode(rows: np.ndarray, random: np.random.RandomState) -> dict[str, np.ndarray]:
        images = (probe.images.images(batch) for batch in torch.from_numpy(rows).split(64))
        batches = [probe.vae.encode(batch) for batch in images]
        means, logvars = (torch.cat(codes).numpy() for codes in zip(*batches, strict=True))
        return sample(means, logvars, random)

    return probe_scores(probe, encode)


def probe_scores(probe: Probe, encoder: Any) -> np.ndarray:
    from latents.evaluation.evaluation_draws import encode_pairs, encode_votes, stream
    from latents.evaluation.metrics import beta_vae_score, factor_vae_score

    pairs = encode_pairs(probe.plan, encoder, stream("pairs", 0))["mean"]
    votes = encode_votes(probe.plan, encoder, stream("votes", 0))["mean"]
    return np.array([beta_vae_score.score(pairs)["test"], factor_vae_score.score(votes)["test"]])


COMPARISONS = {
    "averaged_mutual_information": lambda: Comparison(
        some_split(10_000, 10), our_information, plain_information, difference
    ),
    "mutual_information_gap": lambda: Comparison(
        some_split(10_000, 10), our_gap, plain_gap, difference
    ),
    "chen_mig": lambda: Comparison(some_split(10_000, 10), our_chen, plain_chen, difference),
    "beta_vae_score and factor_vae_score": lambda: Comparison(
        some_probe(), our_probe, plain_probe, difference
    ),
    "downstream_logistic, 10,000 examples": lambda: downstream_logistic(10_000),
    "downstream_logistic, 1000 examples": lambda: downstream_logistic(1000),
    "downstream_logistic, 100 examples": lambda: downstream_logistic(100),
}


def timed(compute: Callable[[Any], Any], inputs: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    result = compute(inputs)
    return time.perf_counter() - started, result


def unsupervised_seconds() -> float:
    """CPU seconds of every score of codes alone, of one model, on every combination."""
    codes = some_split(10_000, 10).train_codes
    types = ["active"] * 4 + ["mixed"] * 3 + ["passive"] * 3
    model = Representation(
        codes, codes, codes[::-1], np.zeros((len(codes), 0)), np.arange(len(codes))
    )
    modules = {name: load("evaluation/metrics", name) for name in registry("evaluation/metrics")}
    started = time.process_time()
    for name, module in modules.items():
        if module.TAKES == "codes":
            score_representation(model, types, name=name, metric=module, pairs="any")
    return time.process_time() - started


def main(rounds: int) -> None:
    seconds = statistics.median(unsupervised_seconds() for _ in range(5))
    print(f"all scores of codes alone, 10,000 x 10, every combination: {seconds:.3f} CPU-seconds")
    print(f"{'comparison':40}{'ours, s':>10}{'reference':>11}{'ratio':>8}  agreement")
    for name, build in COMPARISONS.items():
        pair = build()
        runs = [
            [timed(way, pair.inputs) for way in (pair.ours, pair.reference)] for _ in range(rounds)
        ]
        ours, reference = (statistics.median(run[i][0] for run in runs) for i in (0, 1))
        told = pair.agreement(pair.inputs, *(result for _, result in runs[-1]))
        print(f"{name:40}{ours:10.4f}{reference:11.4f}{reference / ours:8.1f}  {told}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1)
    warnings.simplefilter("ignore", ConvergenceWarning)  # 100 iterations are part of the protocol
    main(parser.parse_args().rounds)
