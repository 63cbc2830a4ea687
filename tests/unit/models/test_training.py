"""The loop: learns, repeats itself exactly, and stops where it must."""

from pathlib import Path

import numpy as np
import pytest
import torch

from latents.data.batches import open_source
from latents.data.images import write_images
from latents.encoding.representations import encode, encode_rows
from latents.encoding.snapshots import Snapshots
from latents.models.determinism import choose_device
from latents.models.trained_model import read_model, write_model
from latents.models.training import Training, train
from latents.runtime.errors import Problem
from tests.unit.models.small_training import PRIORS, SHAPE, begin, budget, hooks, weights


def test_unpacked_images_are_the_packed_ones(images):
    rows = torch.tensor([0, 47, 13])
    expected = np.unpackbits(images.images.stored[rows].numpy(), axis=1).reshape(3, *SHAPE)
    assert (images.images(rows).numpy() == expected).all()


@pytest.mark.parametrize("network", ["conv", "mlp", "conv_batchnorm"])
def test_the_same_seed_gives_the_same_bytes(network, images):
    runs = [begin(network=network) for _ in range(2)]
    for training in runs:
        train(training, budget(), images, hooks())
    assert runs[0].history == runs[1].history
    assert weights(runs[0]) == weights(runs[1])


def test_learned_exponents_move_and_the_root_stays(images):
    training = begin("beta_vae", prior="lp_nested")
    train(training, budget(), images, hooks())
    exponents = training.objective.prior.exponents().tolist()
    assert exponents[0] == pytest.approx(2.1, abs=1e-12)
    assert all(abs(p - 2.0) > 1e-3 for p in exponents[1:])


def test_a_double_step_counter_halves_the_updates(images):
    training = begin("factor_vae")
    training.objective.steps_per_update = 2
    updates = []
    watching = hooks(take_snapshot=lambda t: updates.append(t.step), snapshots=frozenset(range(61)))
    train(training, budget(60), images, watching)
    assert training.step == 60
    assert len(updates) == 30
    assert [row["step"] for row in training.history] == updates


def test_another_seed_gives_another_model(images):
    runs = [begin(seed=seed) for seed in (0, 1)]
    for training in runs:
        train(training, budget(), images, hooks())
    assert weights(runs[0]) != weights(runs[1])


def test_weights_lost_in_the_last_step_leave_no_model(images):
    plan = budget(1, rate=1e38)
    with pytest.raises(Problem, match="weights are no longer finite"):
        train(begin("beta_vae", plan), plan, images, hooks())


def test_a_diverging_loss_is_named_with_its_step(images):
    plan = budget(200, rate=1e4)
    with pytest.raises(Problem, match=r"training diverged at step \d+: loss .*kl"):
        train(begin("beta_vae", plan), plan, images, hooks())


def test_a_nan_is_found_at_the_step_where_it_appears(images):
    training = begin()

    def poison(now: Training) -> None:
        with torch.no_grad():
            next(now.vae.parameters()).fill_(float("nan"))

    watching = hooks(take_snapshot=poison, snapshots=frozenset({7}))
    with pytest.raises(Problem, match="diverged at step 8: loss nan"):
        train(training, budget(100), images, watching)


def test_snapshots_are_taken_at_the_chosen_steps_and_change_nothing(images, tmp_path: Path):
    shots = Snapshots(tmp_path, images, steps=[3, 10, 60], examples=50, images_seed=1)
    kept = hooks(take_snapshot=shots.take, snapshots=frozenset(shots.steps))
    watched, plain = begin(), begin()
    train(watched, budget(), images, kept)
    train(plain, budget(), images, hooks())
    assert weights(watched) == weights(plain)
    assert sorted(shots.table()["step"].unique()) == [3, 10, 60]
    made = {step: np.load(tmp_path / f"step_{step}.npy") for step in shots.steps}
    means = encode(watched.vae, images, examples=50, images_seed=1, seed=0).mean
    assert made[60] == pytest.approx(np.corrcoef(means, rowvar=False), abs=1e-6)
    assert not np.allclose(made[3], made[60])


def test_a_missing_gpu_is_named():
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    assert choose_device("auto").type == "cpu"
    with pytest.raises(Problem, match="sees no CUDA device"):
        choose_device("cuda:1")


def test_a_model_comes_back_with_its_learned_prior(images, tmp_path: Path):
    training = begin("beta_vae", prior="lp_nested")
    train(training, budget(), images, hooks())
    network = {"network": "conv", "latents": 4, "width": 0.1, "initialisation": "torch"}
    prior = {"name": "lp_nested", "options": PRIORS["lp_nested"]}
    description = {"network": network, "objective": {"prior": prior}}
    write_model(tmp_path / "model", training.vae, training.objective.prior, description)
    write_images(tmp_path / "images", images.images.about, [images.images.stored.numpy()])
    device = torch.device("cpu")
    again = open_source(tmp_path / "images", device, variation=None, background=None)
    back = read_model(tmp_path / "model", again)
    assert again.source == "bars"
    assert torch.equal(back.prior.exponents(), training.objective.prior.exponents())
    rows = torch.arange(10)
    for a, b in zip(
        encode_rows(back.vae, again, rows, torch.Generator()),
        encode_rows(training.vae, images, rows, torch.Generator()),
        strict=True,
    ):
        assert torch.equal(a, b)
