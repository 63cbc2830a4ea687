"""What a workflow lists at its start, and what its jobs conclude from it."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from latents.runtime import job_list
from latents.runtime.errors import Problem
from latents.runtime.job_list import (
    name_list,
    newest_list,
    read_list,
    refuse_replanned,
)

MODEL, HISTORY = "results/smoke/models/model", "results/smoke/models/history"


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
    final = SimpleNamespace(output=[], log=[], params=None)
    ordinary = SimpleNamespace(output=["count.txt"], log=[], params=SimpleNamespace(factor=1))
    return SimpleNamespace(toposorted=lambda: [jobs, [final, ordinary]], needrun=lambda job: True)


def test_jobs_of_ours_are_listed_and_no_others():
    (job,) = read_list(newest_list())
    assert (job.rule, job.output, job.log) == ("train_model", Path(MODEL), Path("log"))


def test_a_job_that_is_no_longer_the_listed_one_is_refused():
    refuse_replanned([Path(MODEL)], "planned")
    refuse_replanned([Path("another")], "changed")
    with pytest.raises(Problem, match="changed after the workflow was started"):
        refuse_replanned([Path("history"), Path(MODEL)], "changed")


def test_a_script_called_by_hand_has_no_list(monkeypatch):
    with pytest.raises(Problem):
        refuse_replanned([Path(MODEL)], "changed")
    monkeypatch.delenv(job_list.VARIABLE)
    refuse_replanned([Path(MODEL)], "changed")


def test_old_lists_go():
    for _ in range(2 * job_list.KEPT):
        name_list()
        job_list.write_list(dag_of(MODEL))
    assert len(list(job_list.FOLDER.iterdir())) == job_list.KEPT
    assert str(newest_list()) == os.environ[job_list.VARIABLE]
