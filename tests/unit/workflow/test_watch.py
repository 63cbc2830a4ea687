"""Progress from made-up files, as a running workflow leaves them."""

import json
import os
from pathlib import Path

import pytest

from latents.runtime.errors import Problem
from latents.runtime.job_list import FOLDER
from latents.runtime.record import KEYS, record_path
from latents.workflow.watch import FAILED, PATIENCE, RUNNING, SILENT, Watch, describe, seconds_left

LIST = FOLDER / "123.json"
START = 1_000_000.0
NOW = START + 3600
LINE = "cell/strength_1/seed_{}: step 3,000/12,000  loss 12.3  kl 4.5  10.0 steps/s  15 min left"


@pytest.fixture(autouse=True)
def listed(tmp_path, monkeypatch):
    """A folder in which a workflow of ten trainings and one table has started."""
    monkeypatch.chdir(tmp_path)
    jobs = [("train_model", str(output_of(seed)), str(log_of(seed)), "") for seed in range(10)]
    table = "results/paper/scores/cell/mi.csv", "results/paper/logs/mi.log"
    write(LIST, json.dumps([*jobs, ("score_metric", *table, "")]), START)
    write(FOLDER / "122.json", "[]", NOW)  # of a workflow that was started before


def output_of(seed: int) -> Path:
    return Path(f"results/paper/models/cell/seed_{seed}/model.safetensors")


def log_of(seed: int) -> Path:
    return Path(f"results/paper/logs/train_model/cell/seed_{seed}.log")


def write(path: Path, text: str, when: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (when, when))


def finish(seed: int, when: float = NOW - 5, seconds: float = 1200) -> None:
    write(log_of(seed), "done\n", when)
    record = {**dict.fromkeys(KEYS, ""), "outputs": {}, "seconds": seconds}
    write(record_path(output_of(seed)), json.dumps(record), when)


def states(watch: Watch) -> dict[str, str]:
    return {seen.job.log.stem: seen.state for seen in watch.look(NOW)}


def test_nothing_has_begun_where_there_are_no_logs():
    watch = Watch()
    assert watch.look(NOW) == []
    assert (watch.jobs.total(), watch.done.total()) == (11, 0)


def test_a_job_is_running_done_failed_or_silent():
    finish(0)
    write(log_of(1), "one\n" + LINE.format(1) + "\n", NOW - 5)
    write(log_of(2), "train_model: training diverged at step 4: loss nan\n", NOW - 1000)
    write(log_of(3), "Traceback (most recent call last):\nValueError: no\n", NOW - 1000)
    write(log_of(4), LINE.format(4), NOW - 2 * PATIENCE)
    watch = Watch()
    found = {"seed_1": RUNNING, "seed_2": FAILED, "seed_3": FAILED, "seed_4": SILENT}
    assert states(watch) == found
    assert watch.done == {"train_model": 1}


def test_a_renewed_lease_is_a_sign_of_life():
    write(log_of(4), LINE.format(4), NOW - 2 * PATIENCE)
    write(output_of(4).with_name(".lease.model.safetensors"), "{}", NOW - 10)
    assert states(Watch()) == {"seed_4": RUNNING}


def test_logs_and_records_of_an_earlier_workflow_do_not_count():
    finish(0, when=START - 10)
    finish(1, when=START - 10)
    write(log_of(1), LINE.format(1), NOW - 5)  # stale, and begun again
    watch = Watch()
    assert states(watch) == {"seed_1": RUNNING}
    assert watch.done.total() == 0


def test_a_job_that_failed_may_run_again_and_be_done():
    write(log_of(2), "train_model: no space left\n", NOW - 1000)
    watch = Watch()
    assert states(watch) == {"seed_2": FAILED}
    write(log_of(2), LINE.format(2), NOW - 5)
    assert states(watch) == {"seed_2": RUNNING}
    finish(2)
    assert states(watch) == {}
    assert watch.done.total() == 1


def test_jobs_that_are_done_are_not_looked_at_again(monkeypatch):
    for seed in range(10):
        finish(seed)
    watch = Watch()
    watch.look(NOW)
    looked = []
    real = os.stat
    monkeypatch.setattr(os, "stat", lambda path, **how: looked.append(path) or real(path, **how))
    watch.look(NOW)
    assert looked == []
    assert watch.done.total() == 10


def test_time_left_is_work_left_over_jobs_at_once():
    """Nine trainings of 1,200 s are left, a quarter of two of them is done; two run at once."""
    finish(0)
    for seed in (1, 2):
        write(log_of(seed), LINE.format(seed), NOW - 5)
    watch = Watch()
    left, unknown = seconds_left(watch, watch.look(NOW))
    assert left == (9 - 2 / 4) * 1200 / 2
    assert unknown == ["score_metric"]


def test_before_any_is_done_the_logs_tell_how_long_one_takes():
    write(log_of(1), LINE.format(1), NOW - 5)
    watch = Watch()
    left, _ = seconds_left(watch, watch.look(NOW))
    assert left == (10 - 1 / 4) * 12_000 / 10


def test_the_text_says_it_all():
    finish(0)
    write(log_of(1), LINE.format(1), NOW - 5)
    write(log_of(2), "train_model: training diverged at step 4: loss nan\n", NOW - 1000)
    watch = Watch()
    text = "\n".join(describe(watch, watch.look(NOW), NOW))
    assert (
        "together                           11        1        1        1        0        8" in text
    )
    assert "1 done in 1 h 00 min, 1.0 an hour; about 2 h 55 min left at 1 at once" in text
    assert "without score_metric" in text
    assert f"running  {LINE.format(1)}" in text
    assert "failed   train_model: training diverged at step 4" in text


def test_a_folder_without_a_list(tmp_path):
    for old in FOLDER.iterdir():
        old.unlink()
    with pytest.raises(Problem, match="no workflow was started in this folder"):
        Watch()
