"""Pairs, votes and splits: what is drawn, and that a table of codes changes none of it."""

from dataclasses import fields

import numpy as np
import pytest
import torch

from latents.data.batches import ImageSource, StoredImages
from latents.data.factors import FactorGrid, FactorTable
from latents.data.images import ImageSet
from latents.data.variation import build_variation
from latents.encoding.evaluations import evaluate, sample, table_encoder
from latents.encoding.representations import encode_rows
from latents.evaluation.evaluation_draws import (
    BATCH,
    Sizes,
    draw_pairs,
    draw_plan,
    draw_votes,
    encode_plan,
    stream,
)
from latents.evaluation.evaluation_file import read_evaluation, write_evaluation
from latents.models.vae import build_vae
from latents.runtime.errors import Problem

GRID = FactorGrid(("a", "nuisance", "b"), (4, 3, 5), (0, 2))
TABLE = FactorTable(GRID.names, GRID.sizes, GRID.latent, GRID.values_at(np.arange(60))[::-1][:50])
SIZES = Sizes((10, 40), 20)
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def images() -> ImageSource:
    bits = np.random.RandomState(0).randint(256, size=(60, 512)).astype(np.uint8)
    about = ImageSet("random bits", (1, 64, 64), GRID, binary=True)
    return ImageSource(StoredImages(about, bits, CPU))


def network(channels: int = 1):
    torch.manual_seed(0)
    shape = (channels, 64, 64)
    return build_vae(
        "mlp", image_shape=shape, latents=3, width=0.02, initialisation="glorot_uniform"
    )


@pytest.mark.parametrize("factors", [GRID, TABLE])
def test_pairs_share_their_factor_and_nothing_else_by_design(factors):
    tolerance = 0.04 if factors is GRID else 0.1  # the table is not quite uniform
    first, second, labels = draw_pairs(factors, np.random.RandomState(0), 300)
    a, b = (factors.values_at(rows.ravel()).reshape(300, BATCH, 3) for rows in (first, second))
    for label, factor in enumerate(factors.latent):
        mine = labels == label
        assert mine.sum() > 100
        assert (a[mine][..., factor] == b[mine][..., factor]).all()
        for other in {0, 1, 2} - {factor}:
            equal = (a[mine][..., other] == b[mine][..., other]).mean()
            assert equal == pytest.approx(1 / factors.sizes[other], abs=tolerance)


@pytest.mark.parametrize("factors", [GRID, TABLE])
def test_votes_share_their_factor_within_a_batch(factors):
    batches, labels = draw_votes(factors, np.random.RandomState(0), 300)
    values = factors.values_at(batches.ravel()).reshape(300, BATCH, 3)
    for label, factor in enumerate(factors.latent):
        mine = values[labels == label]
        assert (mine[..., factor] == mine[:, :1, factor]).all()
        assert len(np.unique(mine[:, 0, factor])) == factors.sizes[factor]
        others = {0, 1, 2} - {factor}
        assert all((mine[..., o] != mine[:, :1, o]).any() for o in others)


def same(a, b) -> None:
    for field in fields(a):
        assert (getattr(a, field.name) == getattr(b, field.name)).all(), field.name


def test_a_table_gives_what_encoding_on_the_fly_gives(images):
    """The same votes; features to the rounding of an image encoded in another batch."""
    vae = network()
    plan = draw_plan(GRID, SIZES, 3)

    def on_the_fly(rows, random):
        encoded = encode_rows(vae, images, torch.from_numpy(rows), torch.Generator())
        return sample(*(codes.numpy() for codes in encoded), random)

    looked_up = encode_plan(plan, table_encoder(vae, images, plan), GRID, 5)
    encoded = encode_plan(plan, on_the_fly, GRID, 5)
    for name in ("mean", "sampled"):
        for size in SIZES.training:
            a, b = looked_up[name].splits[size], encoded[name].splits[size]
            assert a.train_codes == pytest.approx(b.train_codes, abs=1e-5)
            assert (a.test_factors == b.test_factors).all()
        votes = [e[name].votes for e in (looked_up, encoded)]
        choices = [(v.train_variances / v.global_variances).argmin(axis=1) for v in votes]
        assert (choices[0] == choices[1]).all()
        pairs = [e[name].pairs.train_features for e in (looked_up, encoded)]
        assert pairs[0] == pytest.approx(pairs[1], abs=1e-5)


def test_features_are_those_of_the_drawn_images(images):
    vae = network()
    plan = draw_plan(GRID, SIZES, 3)
    made = evaluate(vae, images, SIZES, images_seed=3, seed=5)["mean"]
    every = encode_rows(vae, images, torch.arange(60), torch.Generator())[0].numpy()
    first, second, labels = plan.pairs
    features = np.abs(every[first] - every[second]).mean(axis=1)
    assert made.pairs.train_features == pytest.approx(features[:40], abs=1e-5)
    assert made.pairs.test_features == pytest.approx(features[40:], abs=1e-5)
    assert (np.r_[made.pairs.train_labels, made.pairs.test_labels] == labels).all()
    batches, _ = plan.votes
    assert made.votes.train_variances == pytest.approx(every[batches[:40]].var(1, ddof=1), rel=1e-3)
    spread = every[plan.spread].var(axis=0, ddof=1)
    assert made.votes.global_variances == pytest.approx(spread, rel=1e-3)
    train, test = plan.splits[10]
    assert made.splits[10].train_codes == pytest.approx(every[train], abs=1e-5)
    assert (made.splits[10].test_factors == GRID.values_at(test)[:, [0, 2]]).all()


def test_the_sampled_representation_is_drawn_anew_at_every_look(images):
    made = evaluate(network(), images, SIZES, images_seed=3, seed=5)
    again = evaluate(network(), images, SIZES, images_seed=3, seed=5)
    other = evaluate(network(), images, SIZES, images_seed=3, seed=6)
    same(made["sampled"].pairs, again["sampled"].pairs)
    same(made["mean"].pairs, other["mean"].pairs)
    a, b = (e["sampled"].splits[40].train_codes for e in (made, other))
    assert (a != b).all()
    split = made["sampled"].splits[40]
    rows = draw_plan(GRID, SIZES, 3).splits[40][0]
    twice = next(row for row in rows if (rows == row).sum() > 1)
    assert len(np.unique(split.train_codes[rows == twice], axis=0)) == (rows == twice).sum()


def test_varied_images_are_encoded_at_every_look(images):
    varied = ImageSource(images.images, build_variation("noise", None))
    made = evaluate(network(3), varied, SIZES, images_seed=3, seed=5)["mean"]
    rows = draw_plan(GRID, SIZES, 3).splits[40][0]
    twice = next(row for row in rows if (rows == row).sum() > 1)
    codes = made.splits[40].train_codes[rows == twice]
    assert len(np.unique(codes, axis=0)) == len(codes)


def test_every_kind_of_draw_has_a_stream_of_its_own():
    """One more training size changes no other draw."""
    few, more = (draw_plan(GRID, Sizes(sizes, 20), 3) for sizes in ((10, 40), (10, 20, 40)))
    for a, b in zip(few.splits[10] + few.pairs, more.splits[10] + more.pairs, strict=True):
        assert (a == b).all()
    assert stream("pairs", 0).randint(2**31) != stream("votes", 0).randint(2**31)


def test_another_size_changes_no_other_look_at_varied_images(images):
    varied = ImageSource(images.images, build_variation("noise", None))
    few, more = (
        evaluate(network(3), varied, Sizes(sizes, 20), images_seed=3, seed=5)["sampled"]
        for sizes in ((10, 40), (10, 20, 40))
    )
    same(few.splits[40], more.splits[40])
    same(few.pairs, more.pairs)
    same(few.votes, more.votes)


def test_evaluations_come_back_from_their_file(images, tmp_path):
    made = evaluate(network(), images, SIZES, images_seed=3, seed=5)
    write_evaluation(tmp_path / "e.h5", made, {"source": "bits"})
    back, description = read_evaluation(tmp_path / "e.h5")
    assert description == {"source": "bits"}
    for name, evaluation in made.items():
        assert list(back[name].splits) == [10, 40]
        assert back[name].largest is back[name].splits[40]
        for size in SIZES.training:
            same(evaluation.splits[size], back[name].splits[size])
        same(evaluation.pairs, back[name].pairs)
        same(evaluation.votes, back[name].votes)
    (tmp_path / "e.h5").write_bytes((tmp_path / "e.h5").read_bytes()[:-100])
    with pytest.raises(Problem, match="not a readable evaluation"):
        read_evaluation(tmp_path / "e.h5")
