"""Trainings resumed from a saved state end with the same bytes; damaged states are refused."""

from pathlib import Path

import pytest
import torch

from latents.data.batches import ImageSource
from latents.data.variation import build_variation
from latents.encoding.snapshots import Snapshots
from latents.models.training import Training, train
from latents.models.training_state import StateFolder, read_state
from latents.runtime.errors import Problem
from tests.unit.models.small_training import OBJECTIVES, PRIORS, begin, budget, hooks, weights


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_objective_trains_over_every_prior_and_resumes(objective, prior, images, tmp_path):
    """104 steps lower the loss; a run resumed from half-way ends with the same bytes."""
    plan = budget(104)  # more than 100: losses are averaged over several steps
    whole = begin(objective, plan, prior=prior)
    folder = StateFolder(tmp_path, "key", "cpu", every=52)

    def save_half_way(training: Training) -> None:
        if training.step == 52:
            folder.save(training)

    train(whole, plan, images, hooks(save_state=save_half_way))
    # The capacity of AnnealedVAE rises with time, so its loss is compared by reconstruction.
    term = "reconstruction" if objective == "annealed_vae" else "loss"
    assert whole.history[-1][term] < 0.7 * whole.history[0][term]
    resumed = begin(objective, plan, prior=prior)
    read_state(folder.state, resumed)
    assert resumed.step == 52
    train(resumed, plan, images, hooks())
    assert resumed.history == whole.history
    assert weights(resumed) == weights(whole)
    learned = (resumed.objective.state_dict(), whole.objective.state_dict())
    assert all(torch.equal(learned[0][key], learned[1][key]) for key in learned[1])


@pytest.mark.parametrize("stop", [1, 29, 59])
def test_a_training_killed_anywhere_ends_bit_identical(stop, images, tmp_path: Path):
    whole = begin()
    train(whole, budget(), images, hooks())

    class Killed(Exception):
        pass

    folder = StateFolder(tmp_path, "key", "cpu", every=1)

    def save_then_die(training: Training) -> None:
        folder.save(training)
        if training.step == stop:
            raise Killed

    killed = begin()
    with pytest.raises(Killed):
        train(killed, budget(), images, hooks(save_state=save_then_die))
    resumed = begin()
    read_state(folder.state, resumed)
    assert resumed.step == stop
    train(resumed, budget(), images, hooks())
    assert weights(resumed) == weights(whole)
    assert resumed.history == whole.history


@pytest.mark.parametrize("order", ["device", "reference"])
def test_what_varies_goes_on_where_it_stopped(order, images, tmp_path: Path):
    varied = ImageSource(images.images, build_variation("noise", None))
    folder = StateFolder(tmp_path, "key", "cpu", every=1)

    def save_half_way(training: Training) -> None:
        if training.step == 30:
            folder.save(training)

    whole, resumed = begin(channels=3), begin(channels=3)
    train(whole, budget(), varied, hooks(save_state=save_half_way), variation_order=order)
    read_state(folder.state, resumed)
    assert resumed.step == 30
    train(resumed, budget(), varied, hooks(), variation_order=order)
    assert weights(resumed) == weights(whole)


def test_a_state_cut_short_is_refused(images, tmp_path: Path):
    training = begin()
    folder = StateFolder(tmp_path, "key", "cpu", every=1)
    train(training, budget(5), images, hooks(save_state=folder.save))
    folder.state.write_bytes(folder.state.read_bytes()[:-100])
    with pytest.raises(Problem, match="not a readable checkpoint"):
        read_state(folder.state, begin())


def test_a_state_with_a_changed_bit_is_refused(images, tmp_path: Path):
    training = begin()
    folder = StateFolder(tmp_path, "key", "cpu", every=1)
    train(training, budget(5), images, hooks(save_state=folder.save))
    content = bytearray(folder.state.read_bytes())
    content[-100] ^= 1
    folder.state.write_bytes(content)
    fresh = begin()
    with pytest.raises(Problem, match="not what was written there"):
        read_state(folder.state, fresh)
    assert weights(fresh) == weights(begin())


def test_states_of_other_code_are_dropped_not_resumed(tmp_path: Path):
    (tmp_path / "old").mkdir()
    fresh = begin()
    StateFolder(tmp_path, "new", "cpu", every=1).resume(fresh, "run")
    assert {path.name for path in tmp_path.iterdir()} == {"new-cpu"}
    assert fresh.step == 0


def test_an_unreadable_state_is_named_and_left(images, tmp_path: Path, capsys):
    folder = StateFolder(tmp_path, "key", "cpu", every=1)
    train(begin(), budget(5), images, hooks(save_state=folder.save))
    again, cut = begin(), begin()
    folder.resume(again, "run")
    assert (again.step, capsys.readouterr().out) == (5, "run: resumed from step 5\n")
    folder.state.write_bytes(folder.state.read_bytes()[:-100])
    folder.resume(cut, "run")
    assert cut.step == 0
    assert "starting again from step 0, because" in capsys.readouterr().out
    assert weights(cut) == weights(begin())


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY", None])
def test_a_damaged_snapshot_makes_the_training_start_again(content, images, tmp_path: Path):
    folder = StateFolder(tmp_path / "run", "key", "cpu", every=1)
    shots = Snapshots(folder.folder, images, steps=[3], examples=50, images_seed=1)
    taking = hooks(save_state=folder.save, take_snapshot=shots.take, snapshots=frozenset({3}))
    train(begin(), budget(5), images, taking)
    assert shots.table()["correlation"].abs().max() <= 1
    made = next(folder.folder.glob("*.npy"))
    made.unlink() if content is None else made.write_bytes(content)
    with pytest.raises(Problem, match="run the same command again to train from the start"):
        shots.table()
    assert not folder.state.exists()
