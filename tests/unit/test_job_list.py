"""What a workflow lists at its start, and what its jobs conclude from it."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from latents import job_list
from latents.job_list import is_made_since, name_list, newest_list, read_list, refuse_replanned
from latents.problem import Problem
from latents.record import record_path

MODEL = "results/smoke/models/model"


@pytest.fixture(autouse=True)
def listed(tmp_path, monkeypatch):
    """A workflow that is going to make a model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(job_list.VARIABLE, "")
    name_list()
    job_list.write_list(dag_of(MODEL))


def dag_of(*outputs: str) -> SimpleNamespace:
    """As much of Snakemake's graph as is looked at."""
    rule, params = SimpleNamespace(name="train_model"), SimpleNamespace(job="planned")
    jobs = [
        SimpleNamespace(rule=rule, params=params, output=[output], log=["log"])
        for output in outputs
    ]
    final = SimpleNamespace(output=[])
    return SimpleNamespace(toposorted=lambda: [jobs, [final]], needrun=lambda job: True)


def test_jobs_with_outputs_are_listed():
    (job,) = read_list(newest_list())
    assert (job.rule, job.output, job.log) == ("train_model", Path(MODEL), Path("log"))


def test_a_job_that_is_no_longer_the_listed_one_is_refused():
    refuse_replanned([Path(MODEL)], "planned")
    refuse_replanned([Path("another")], "changed")
    with pytest.raises(Problem, match="changed after the workflow was started"):
        refuse_replanned([Path("history"), Path(MODEL)], "changed")


def test_a_script_called_by_hand_has_no_list(monkeypatch):
    monkeypatch.delenv(job_list.VARIABLE)
    refuse_replanned([Path(MODEL)], "changed")
    assert not is_made_since(MODEL)


@pytest.mark.parametrize(("seconds", "made"), [(-10, False), (10, True)])
def test_made_since_the_start_goes_by_the_age_of_the_record(seconds, made):
    record = record_path(Path(MODEL))
    record.parent.mkdir(parents=True)
    record.write_text("{}")
    when = newest_list().stat().st_mtime + seconds
    os.utime(record, (when, when))
    assert is_made_since(MODEL) == made


def test_without_a_record_nothing_was_made():
    assert not is_made_since(MODEL)


def test_old_lists_go():
    for _ in range(2 * job_list.KEPT):
        name_list()
        job_list.write_list(dag_of(MODEL))
    assert len(list(job_list.FOLDER.iterdir())) == job_list.KEPT
    assert str(newest_list()) == os.environ[job_list.VARIABLE]
