"""Sizes: what is alike, what decides them, and how honest an extrapolation is."""

from pathlib import Path

import numpy as np
import pytest

from latents.disk import Measured, expect, kind_of, measure, scale_of, used, weight
from latents.evaluation_file import write_evaluation
from latents.evaluation_sets import Evaluation, Pairs, Split, Votes
from latents.plan import Planned
from latents.step import Step

CONV = {
    "network": "conv",
    "width": 1.0,
    "latents": 10,
    "initialisation": "glorot_uniform",
    "memory_layout": "channels_last",
}
MODEL = Path("results/paper/models/cell/strength_1/seed_0/model.safetensors")


@pytest.mark.parametrize(
    ("path", "kind", "scale"),
    [
        (str(MODEL), "models/model.safetensors", "paper"),
        ("results/smoke/representations/cell/strength_1/seed_0.h5", "representations", "smoke"),
        ("results/smoke/scores/cell/strength_1/seed_0/dci.csv", "scores", "smoke"),
        ("results/smoke/figures/fig9.pdf", "figures/*.pdf", "smoke"),
        ("figures/fig9.pdf", "figures/*.pdf", ""),
        ("results/datasets/dsprites.h5", "datasets/dsprites.h5", ""),
        ("results/smoke/claims.csv", "claims.csv", "smoke"),
        (f"{MODEL}.record.json", "records", "paper"),
    ],
)
def test_kinds_and_scales(path, kind, scale):
    assert (kind_of(Path(path)), scale_of(Path(path))) == (kind, scale)


def test_a_model_weighs_its_parameters():
    assert weight(MODEL, {"network": CONV}) == 690_517
    assert weight(MODEL.with_name("history.csv"), {"network": CONV}) == 1


def test_tables_weigh_their_runs_and_representations_their_examples():
    runs = {"strengths": [1, 2, 4], "seeds": 50}
    assert weight(Path("results/paper/variables/cell.csv"), {"runs": runs}) == 150
    codes = Path("results/paper/representations/cell/strength_1/seed_0.h5")
    assert weight(codes, {"examples": 10_000}) == 10_000


def evaluation(path: Path, sizes: list[int], tested: int) -> int:
    codes, factors = (np.zeros((max(sizes), n), t) for n, t in ((10, "f4"), (5, "i8")))
    test = codes[:tested], factors[:tested]
    splits = {n: Split(codes[:n], factors[:n], *test) for n in sizes}
    labelled = codes, factors[:, 0], test[0], test[1][:, 0]
    whole = Evaluation(splits, Pairs(*labelled), Votes(codes[0], *labelled))
    write_evaluation(path, {"mean": whole, "sampled": whole}, {})
    return path.stat().st_size


def test_the_size_of_an_evaluation_is_foretold_to_a_tenth(tmp_path: Path):
    small, large = ([10, 100, 1000], 500), ([10, 100, 1000, 10_000], 5000)
    sizes = [evaluation(tmp_path / f"{i}.h5", *given) for i, given in enumerate((small, large))]
    keys = ("training_examples", "test_examples")
    weights = [
        weight(Path("e.h5"), dict(zip(keys, given, strict=True))) for given in (small, large)
    ]
    assert sizes[0] * weights[1] / weights[0] == pytest.approx(sizes[1], rel=0.1)


def planned(path: Path, **values) -> Planned:
    job = {"code": {}, "command": "", "values": values}
    return Planned(Step("step", job, {}, {"made": [path]}, {}), Path("log"))


def test_what_was_measured_at_a_scale_is_used_there_and_extrapolated_elsewhere():
    kind = "models/model.safetensors"
    here = {(kind, "paper"): Measured(6e6, 2 * 690_517), ("records", "paper"): Measured(100, 1)}
    jobs = [planned(MODEL, network=CONV)] * 3
    found = expect(jobs, here)
    assert (found[kind].files, found[kind].bytes) == (3, pytest.approx(9e6))
    assert not found[kind].extrapolated
    assert (found["records"].files, found["records"].bytes) == (3, 300)
    elsewhere = {(kind, "smoke"): Measured(1000, 250)}
    found = expect(jobs, elsewhere)
    assert found[kind].bytes == pytest.approx(3 * 4 * 690_517)
    assert found[kind].extrapolated
    assert found["records"].unknown == 3


def test_what_is_there_is_counted_with_all_that_no_record_tells_of(tmp_path: Path):
    state = tmp_path / "results/smoke/states/cell/key/state.safetensors"
    state.parent.mkdir(parents=True)
    state.write_bytes(b"x" * 123)
    assert (used(tmp_path)["states"].files, used(tmp_path)["states"].bytes) == (1, 123)
    assert measure(tmp_path) == {}
