"""The loop: learns, repeats itself exactly, resumes exactly, and stops where it must."""

from pathlib import Path

import numpy as np
import pytest
import torch

from latents.batches import ImageSource, StoredImages, open_source
from latents.encoding import encode, encode_rows, reconstruction_of_rows
from latents.factors import FactorGrid
from latents.images import ImageSet, write_images
from latents.model_file import read_model, write_model
from latents.objective import RunFacts, build_objective
from latents.problem import Problem
from latents.snapshots import correlations
from latents.training import (
    Budget,
    Hooks,
    Training,
    choose_device,
    fix_rounding,
    read_state,
    start_training,
    train,
)
from latents.training_state import StateFolder
from latents.vae import build_vae
from latents.variation import build_variation

GRID = FactorGrid(names=("a", "b"), sizes=(6, 8), latent=(0, 1))
SHAPE = (1, 64, 64)
OBJECTIVES = {
    "beta_vae": {"beta": 2.0},
    "annealed_vae": {"c_max": 10.0, "gamma": 10.0},
    "dip_vae": {"lambda_od": 5.0, "variant": "ii", "diagonal_ratio": 1.0},
    "beta_tcvae": {"beta": 2.0, "sampling": "weighted"},
    "factor_vae": {
        "gamma": 5.0,
        "layers": 2,
        "discriminator_rate": 1e-4,
        "double_step_counter": False,
    },
}
PRIORS = {
    "standard_normal": {},
    "generalised_gaussian": {"p": 1.5, "scale": 2.0},
    "lp_nested": {
        "tree": [2.1, [2.0, 2], [2.0, 2]],
        "scale": 1.0,
        "learned": True,
        "learning_rate": 5e-4,
    },
}


@pytest.fixture(scope="module")
def images() -> ImageSource:
    """Bars whose position and height are the two factors."""
    pictures = np.zeros((GRID.images, 64, 64), dtype=np.uint8)
    for row, (a, b) in enumerate(GRID.factors(np.arange(GRID.images))):
        pictures[row, 8 * b : 8 * b + 8, : 10 * (a + 1)] = 1
    bits = np.packbits(pictures.reshape(GRID.images, -1), axis=1)
    about = ImageSet("bars", SHAPE, GRID, binary=True)
    return ImageSource(StoredImages(about, bits, torch.device("cpu")))


def budget(steps: int = 60, rate: float = 1e-3) -> Budget:
    return Budget(steps, 8, rate, (0.9, 0.999), 1e-8)


def begin(
    objective: str = "dip_vae",
    plan: Budget | None = None,
    seed: int = 0,
    prior: str = "standard_normal",
    network: str = "conv",
    channels: int = 1,
) -> Training:
    fix_rounding(1)
    torch.manual_seed(seed)
    vae = build_vae(
        network,
        image_shape=(channels, *SHAPE[1:]),
        latents=4,
        width=0.1,
        initialisation="glorot_uniform",
    )
    plan = plan or budget()
    over = {"name": prior, "options": PRIORS[prior]}
    facts = RunFacts(latents=4, steps=plan.steps, images=GRID.images)
    loss = build_objective(objective, options=OBJECTIVES[objective], prior=over, facts=facts)
    return start_training(vae, loss, plan, seed)


def nothing(_: Training) -> None:
    pass


def hooks(**given) -> Hooks:
    return Hooks(**{"report": nothing, "save_state": nothing, "save_snapshot": nothing, **given})


def weights(training: Training) -> list[bytes]:
    return [tensor.numpy().tobytes() for tensor in training.vae.state_dict().values()]


def test_unpacked_images_are_the_packed_ones(images):
    rows = torch.tensor([0, 47, 13])
    expected = np.unpackbits(images.images.stored[rows].numpy(), axis=1).reshape(3, *SHAPE)
    assert (images.images(rows).numpy() == expected).all()


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_objective_trains_over_every_prior_and_resumes(objective, prior, images, tmp_path):
    """200 steps lower the loss; a run resumed from half-way ends with the same bytes."""
    plan = budget(200)
    whole = begin(objective, plan, prior=prior)
    folder = StateFolder(tmp_path, "key", every=100)

    def save_half_way(training: Training) -> None:
        if training.step == 100:
            folder.save(training)

    train(whole, plan, images, hooks(save_state=save_half_way))
    # The capacity of AnnealedVAE rises with time, so its loss is compared by reconstruction.
    term = "reconstruction" if objective == "annealed_vae" else "loss"
    assert whole.history[-1][term] < 0.7 * whole.history[0][term]
    resumed = begin(objective, plan, prior=prior)
    read_state(folder.state, resumed)
    assert resumed.step == 100
    train(resumed, plan, images, hooks())
    assert resumed.history == whole.history
    assert weights(resumed) == weights(whole)
    learned = (resumed.objective.state_dict(), whole.objective.state_dict())
    assert all(torch.equal(learned[0][key], learned[1][key]) for key in learned[1])


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
    watching = hooks(save_snapshot=lambda t: updates.append(t.step), snapshots=frozenset(range(61)))
    train(training, budget(60), images, watching)
    assert training.step == 60
    assert len(updates) == 30
    assert [row["step"] for row in training.history] == updates


def test_another_seed_gives_another_model(images):
    runs = [begin(seed=seed) for seed in (0, 1)]
    for training in runs:
        train(training, budget(), images, hooks())
    assert weights(runs[0]) != weights(runs[1])


@pytest.mark.parametrize("stop", [1, 29, 59])
def test_a_training_killed_anywhere_ends_bit_identical(stop, images, tmp_path: Path):
    whole = begin()
    train(whole, budget(), images, hooks())

    class Killed(Exception):
        pass

    folder = StateFolder(tmp_path, "key", every=1)

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
    folder = StateFolder(tmp_path, "key", every=1)

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
    folder = StateFolder(tmp_path, "key", every=1)
    train(training, budget(5), images, hooks(save_state=folder.save))
    folder.state.write_bytes(folder.state.read_bytes()[:-100])
    with pytest.raises(Problem, match="not a readable checkpoint"):
        read_state(folder.state, begin())


def test_a_state_with_a_changed_bit_is_refused(images, tmp_path: Path):
    training = begin()
    folder = StateFolder(tmp_path, "key", every=1)
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
    StateFolder(tmp_path, "new", every=1).drop_others()
    assert {path.name for path in tmp_path.iterdir()} == {"new"}


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY", None])
def test_a_damaged_snapshot_makes_the_training_start_again(content, tmp_path: Path):
    folder = StateFolder(tmp_path / "run", "key", every=1)
    folder.save_snapshot(3, np.eye(2))
    assert (folder.snapshots([3])[3] == np.eye(2)).all()
    made = next(folder.folder.glob("*.npy"))
    made.unlink() if content is None else made.write_bytes(content)
    with pytest.raises(Problem, match="run the same command again to train from the start"):
        folder.snapshots([3])
    assert not folder.folder.exists()


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

    watching = hooks(save_snapshot=poison, snapshots=frozenset({7}))
    with pytest.raises(Problem, match="diverged at step 8: loss nan"):
        train(training, budget(100), images, watching)


def test_snapshots_are_taken_at_the_chosen_steps_and_change_nothing(images, tmp_path: Path):
    folder = StateFolder(tmp_path / "states", "key", every=1000)

    def look(training: Training) -> None:
        found = correlations(training.vae, images, examples=50, images_seed=1)
        folder.save_snapshot(training.step, found)

    kept = hooks(save_snapshot=look, snapshots=frozenset({3, 10, 60}))
    watched, plain = begin(), begin()
    train(watched, budget(), images, kept)
    train(plain, budget(), images, hooks())
    assert weights(watched) == weights(plain)
    made = folder.snapshots([3, 10, 60])
    means = encode(watched.vae, images, examples=50, images_seed=1, seed=0).mean
    assert made[60] == pytest.approx(np.corrcoef(means, rowvar=False), abs=1e-6)
    assert not np.allclose(made[3], made[60])


def test_encoding_is_seeded_and_samples_around_the_mean(images):
    training = begin()
    made = [
        encode(training.vae, images, examples=3000, images_seed=1, seed=seed) for seed in (5, 5, 6)
    ]
    assert (made[0].sampled == made[1].sampled).all()
    assert (made[0].mean == made[2].mean).all()
    assert (made[0].sampled != made[2].sampled).any()
    noise = (made[0].sampled - made[0].mean) / np.sqrt(made[0].variance)
    assert noise.mean() == pytest.approx(0, abs=0.03)
    assert noise.std() == pytest.approx(1, abs=0.03)
    assert (made[0].indices == GRID.rows(made[0].factors)).all()


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


def test_likelihood_is_that_of_one_sample_per_image(images):
    """An encoder of tiny variance leaves no noise: E[log p(x|z)] is then a plain sum."""
    training = begin("beta_vae")
    with torch.no_grad():
        training.vae.encoder[-1].logvar.bias.fill_(-60)
        training.vae.encoder[-1].logvar.weight.zero_()
    rows = torch.arange(GRID.images)
    found = reconstruction_of_rows(training.vae, images, rows, torch.Generator().manual_seed(0))
    pictures = images.images(rows)
    with torch.no_grad():
        logits = training.vae.decoder(training.vae.encode(pictures)[0])
    density = torch.distributions.Bernoulli(logits=logits).log_prob(pictures)
    assert found == pytest.approx(density.sum().item() / len(rows), rel=1e-4)
