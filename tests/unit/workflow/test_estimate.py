"""Costs of planned jobs follow from those of measured ones by the work they have in common."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from latents.evaluation.evaluation_file import write_evaluation
from latents.evaluation.evaluation_sets import Evaluation, Pairs, Split, Votes
from latents.models.flops import operations, weights
from latents.runtime.command_line import Step
from latents.runtime.record import record_path
from latents.workflow.dry_run import Planned
from latents.workflow.estimate import UNKNOWN, content, estimate, nearest, total, work
from latents.workflow.measurements import Measured, measurements
from latents.workflow.plan_table import plan_table
from tests.made_up import make_up

CONV = {
    "network": "conv",
    "width": 1.0,
    "latents": 10,
    "initialisation": "glorot_uniform",
    "memory_layout": "channels_last",
}
WHOLE = 4 * 690_517  # bytes of its weights, beside which all else of a training is nothing
HALF = {**CONV, "width": 0.5}


def training(steps: int = 1000, network: dict = CONV) -> dict:
    return {"budget": {"steps": steps, "batch_size": 64}, "network": network}


def measured(
    values: dict, *, scale: str = "laptop", cell: str = "a", gpu: bool = False
) -> Measured:
    return Measured("train_model", "models", scale, cell, values, 100.0, 90.0, gpu, 5000)


def planned(values: dict, cell: str = "a") -> Planned:
    output = Path(f"results/paper/models/{cell}/strength_1/seed_0/model.safetensors")
    step = Step("train_model", {"values": values}, {}, {"model": [output]}, {})
    return Planned(step, Path("log"))


def test_the_networks_count_as_their_layers_do():
    """Full width: 32, 32, 64, 64 channels, 256 features, both ways; 0.69 million weights."""
    assert weights(CONV) == pytest.approx(0.69e6, rel=0.01)
    encoder = 2 * (32**2 * 32 * 16 + 16**2 * 32 * 32 * 16 + 8**2 * 64 * 32 * 4 + 4**2 * 64 * 64 * 4)
    assert operations(CONV) > 2 * encoder * 0.9
    assert operations(HALF) < 0.5 * operations(CONV)


def test_cost_is_proportional_to_the_steps_of_the_nearest_trainings():
    [cost] = estimate(
        [planned(training(steps=300_000)), planned(training(steps=300_000))],
        [measured(training(steps=2000))],
    )
    assert cost.cpu_hours == pytest.approx(2 * 150 * 90 / 3600)
    assert cost.gpu_hours is None
    assert (cost.size, cost.source) == (2 * WHOLE, "laptop scale")


def test_another_network_costs_as_much_more_as_it_computes():
    [cost] = estimate([planned(training())], [measured(training(network=HALF))])
    ratio = operations(CONV) / operations(HALF)
    assert cost.cpu_hours == pytest.approx(ratio * 90 / 3600)
    assert cost.size == WHOLE


def test_the_nearest_are_of_the_cell_then_of_the_scale_then_of_the_largest_work():
    smoke = measured(training(40), scale="smoke")
    laptop = measured(training(2000))
    other = measured(training(), scale="paper", cell="b")
    same = measured(training(), scale="paper")
    assert nearest([smoke, laptop, other, same], "paper", "a") == ([same], "measured")
    assert nearest([smoke, laptop, other], "paper", "a") == ([other], "others like it")
    assert nearest([smoke, laptop], "paper", "a") == ([laptop], "laptop scale")
    assert nearest([], "paper", "a") == ([], UNKNOWN)


def test_hours_on_a_gpu_are_told_where_one_was_used():
    both = [measured(training(), scale="paper", gpu=gpu) for gpu in (True, False)]
    [cost] = estimate([planned(training())], both)
    assert cost.gpu_hours == pytest.approx(100 / 3600)


def test_tables_cost_by_runs_and_codes_by_examples():
    runs = {"strengths": [1, 2, 4], "seeds": 50}
    assert work({"runs": runs}) == 150
    assert work({"examples": 10_000}) == 10_000
    assert work({"training_examples": [10, 100], "test_examples": 50}) == 160
    assert work({"title": "anything else"}) == 1


def test_a_sum_keeps_what_is_known():
    known, unknown = (
        estimate([planned(training(), "a")], [measured(training())]),
        estimate([planned(training(), "b")], []),
    )
    both = total([*known, *unknown])
    assert both.cpu_hours == known[0].cpu_hours
    assert both.source == "laptop scale, unknown"


def test_records_tell_what_a_job_took(tmp_path):
    """One job with two outputs counts once, with the bytes of both and of their record."""
    outputs = [Path(f"results/paper/models/a/{name}") for name in ("model", "history")]
    step = Step("train_model", {"values": training()}, {}, {"made": outputs}, {})
    make_up(tmp_path, [Planned(step, Path("log"))], {})
    [found] = measurements(tmp_path)
    assert (found.step, found.scale, found.subject) == ("train_model", "paper", "a")
    assert (found.seconds, found.on_gpu) == (1.0, False)
    record = record_path(tmp_path / outputs[0]).stat().st_size
    assert found.size == sum(len(str(path)) for path in outputs) + record
    (tmp_path / outputs[0]).unlink()
    assert measurements(tmp_path)[0].size == 0


def evaluation(path: Path, sizes: list[int], tested: int) -> int:
    codes, factors = (np.zeros((max(sizes), n), t) for n, t in ((10, "f4"), (5, "i8")))
    test = codes[:tested], factors[:tested]
    splits = {n: Split(codes[:n], factors[:n], *test) for n in sizes}
    labelled = codes, factors[:, 0], test[0], test[1][:, 0]
    whole = Evaluation(splits, Pairs(*labelled), Votes(codes[0], *labelled))
    write_evaluation(path, {"mean": whole, "sampled": whole}, {})
    return path.stat().st_size


def test_the_size_of_an_evaluation_is_foretold_to_a_tenth(tmp_path):
    small, large = ([10, 100, 1000], 500), ([10, 100, 1000, 10_000], 5000)
    sizes = [evaluation(tmp_path / f"{i}.h5", *given) for i, given in enumerate((small, large))]
    keys = ("training_examples", "test_examples")
    contents = [content(dict(zip(keys, given, strict=True))) for given in (small, large)]
    assert sizes[0] * contents[1] / contents[0] == pytest.approx(sizes[1], rel=0.1)


def test_what_is_dropped_once_used_takes_no_disk_in_the_end_and_tells_nothing_of_sizes():
    values = {"examples": 10}
    step = Step("train_model", {"values": values}, {}, planned(values).step.outputs, {})
    there, gone = measured(values), replace(measured(values), size=0)
    [cost] = estimate([Planned(step, Path("log"))], [there, gone])
    assert cost.size == 5000
    dropped = Planned(replace(step, expendable=True), Path("log"))
    [cost] = estimate([dropped], [there])
    assert (cost.size, cost.cpu_hours) == (0, 90 / 3600)


def test_a_plan_before_anything_was_measured_says_so_in_one_sentence(tmp_path):
    jobs = [planned(training())] * 2
    text = "\n".join(plan_table(jobs, jobs, [], tmp_path))
    assert "Nothing was measured yet" in text
    assert "could tell the cost of" not in text
    assert "2 trainings:\n      2 a" in text


def test_measurements_of_a_network_that_is_no_more_are_left_out():
    gone = measured(training(network={**CONV, "network": "gone"}))
    [cost] = estimate([planned(training())], [gone])
    assert cost.source == UNKNOWN
