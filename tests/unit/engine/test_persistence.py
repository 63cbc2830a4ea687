"""Snakemake's memory, as records have it for our rules and as Snakemake has it for all others."""

import asyncio
import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
import snakemake.api  # noqa: F401 - first: its modules import each other in circles
from snakemake.io import AnnotatedString, IOCache, IOFile
from snakemake.iocontainers import Params

from latents.engine.persistence import STALE, RecordPersistence, is_ours, keep_permanent
from latents.runtime.record import canonical, digest, record_path, sealed
from latents.runtime.supervision import FORCED
from latents.workflow.job_text import JobText

JOB = {"code": "c", "modules": [], "command": "make", "values": {"steps": 3}}
MADE, SIBLING, READ = (f"results/{name}.csv" for name in ("made", "sibling", "read"))


def rule(job=JobText.text) -> SimpleNamespace:
    """A rule with a parameter `job`; without one if that is None."""
    named = {"job": job} if job is not None else {"factor": 1}
    cache = IOCache(0)
    cache.deactivate()
    return Rule(
        name="make",
        params=Params(fromdict=named),
        shellcmd="make",
        run_func_src=None,
        pathvars=SimpleNamespace(apply=lambda path: path),
        workflow=SimpleNamespace(iocache=cache),
    )


class Rule(SimpleNamespace):
    """As much of a rule as is looked at; told apart by identity, as dictionaries need it."""

    __hash__ = object.__hash__


def job_of(made_by, *outputs: str, params=None, inputs=()) -> Rule:
    files = [IOFile(name, rule=made_by) for name in outputs]
    given = Params(fromdict=params or {"job": canonical(JOB)})
    return Rule(
        rule=made_by,
        output=files,
        input=[IOFile(name, rule=made_by) for name in inputs],
        params=given,
        non_derived_params=list(given),
        log=[],
        shellcmd="make",
        conda_env=None,
        container_img_url=None,
        env_modules=None,
    )


def workflow(**settings) -> SimpleNamespace:
    forced = {"forceall": False, "forcerun": set(), "forcetargets": False}
    return SimpleNamespace(
        dag_settings=SimpleNamespace(max_checksum_file_size=10, **{**forced, **settings}),
        execution_settings=SimpleNamespace(keep_metadata=True, keep_going=False),
        deployment_settings=SimpleNamespace(deployment_method=set()),
        remote_execution_settings=SimpleNamespace(immediate_submit=True),
        exec_mode=None,
        is_main_process=True,
        remote_exec=False,
    )


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(FORCED, "")
    Path("results").mkdir()
    for name in (MADE, SIBLING, READ):
        Path(name).write_text(name)
    write_record([MADE, SIBLING], [READ])


def write_record(outputs: list[str], read: list[str], **other) -> None:
    record = {
        "step": "make",
        "key": "k",
        "job": JOB,
        "inputs": {name: digest(Path(name)) for name in read},
        "outputs": {name: digest(Path(name)) for name in outputs},
        "also_read": {},
        "environment": {"python": "3.11", "packages": {"torch": "2"}},
        "started": "2026-01-01T00:00:00+00:00",
        "seconds": 1.0,
        **other,
    }
    place = record_path(Path(outputs[0]))
    place.parent.mkdir(exist_ok=True)
    place.write_text(json.dumps(sealed(record)))


@pytest.fixture
def persistence() -> RecordPersistence:
    return RecordPersistence(dag=SimpleNamespace(workflow=workflow(), jobs=[]))


def changed(persistence: RecordPersistence, job: Rule) -> bool:
    """As Snakemake asks it: another parameter, another set of inputs, another content of one."""
    checksums = [persistence.input_checksums(job, path) for path in job.input]
    current = [{f"sha256:{digest(Path(path))}"} for path in job.input]
    return (
        bool(persistence.params_changed(job))
        or any(persistence.input_changed(job))
        or (checksums != current)
    )


def test_our_rules_are_those_whose_job_is_made_by_this_library():
    assert is_ours(rule())
    assert not is_ours(rule(job=None))
    assert not is_ours(rule(job=lambda wildcards: "text"))
    assert not is_ours(rule(job="text"))


def test_an_artefact_is_fresh_whatever_else_its_parameters_say(persistence):
    params = {"job": canonical(JOB), "script": "/moved/elsewhere.py", "device": "cuda"}
    job = job_of(rule(), MADE, SIBLING, params=params, inputs=[READ])
    assert not changed(persistence, job)
    os.utime(READ)
    assert not changed(persistence, job)


STALE_CASES = {
    "another value": lambda: {"job": canonical({**JOB, "values": {"steps": 4}})},
    "another command": lambda: {"job": canonical({**JOB, "command": "make it"})},
    "an input with other bytes": lambda: Path(READ).write_text("other"),
    "a sibling that is gone": lambda: Path(SIBLING).unlink(),
    "no record": lambda: record_path(Path(MADE)).unlink(),
    "a record that is no record": lambda: record_path(Path(MADE)).write_text("[]"),
    "a record without inputs": lambda: write_record([MADE, SIBLING], [READ], inputs=None),
}


@pytest.mark.parametrize("case", STALE_CASES)
def test_an_artefact_is_stale(persistence, case):
    params = STALE_CASES[case]()
    job = job_of(rule(), MADE, inputs=[READ], params=params if isinstance(params, dict) else None)
    assert changed(persistence, job)


def test_a_deleted_artefact_is_judged_by_its_record(persistence):
    Path(MADE).unlink()
    assert not changed(persistence, job_of(rule(), MADE, inputs=[READ]))


def test_a_file_that_its_record_does_not_know_stops_the_plan(persistence):
    """Before Snakemake would delete anything that was made from it."""
    write_record([READ], [])
    Path(READ).write_text("edited")
    later = record_path(Path(READ)).stat().st_mtime + 10
    os.utime(READ, (later, later))
    with pytest.raises(SystemExit, match="is not what its record says was written there"):
        persistence.metadata(IOFile(MADE, rule=rule()))


def test_a_file_that_was_only_touched_is_hashed_once(persistence, monkeypatch):
    write_record([READ], [])
    later = record_path(Path(READ)).stat().st_mtime + 10
    os.utime(READ, (later, later))
    assert persistence.metadata(IOFile(MADE, rule=rule())).params == [repr(canonical(JOB))]
    assert record_path(Path(READ)).stat().st_mtime == later


def test_while_jobs_run_nothing_is_remembered(persistence):
    target = IOFile(MADE, rule=rule())
    assert persistence.metadata(target).params != [repr(STALE)]
    Path(SIBLING).unlink()
    assert persistence.metadata(target).params != [repr(STALE)], "a plan looks once"
    persistence.deactivate_cache()
    assert persistence.metadata(target).params == [repr(STALE)]
    Path(SIBLING).write_text(SIBLING)
    assert persistence.metadata(target).params != [repr(STALE)]


def test_an_input_of_any_size_is_compared_by_content(persistence):
    assert persistence.dag.max_checksum_file_size > 10**12
    assert persistence.max_checksum_file_size == 10, "what Snakemake writes for others"


def test_other_rules_have_snakemakes_metadata(persistence):
    job = job_of(rule(job=None), "results/other", params={"factor": 1}, inputs=[READ])
    Path("results/other").write_text("")
    assert persistence.metadata(job.output[0]) is None
    persistence.started(job)
    assert asyncio.run(persistence.incomplete(job)) == job.output
    asyncio.run(persistence.finished(job))
    persistence.deactivate_cache()
    assert persistence.metadata(job.output[0]).params == ["1"]
    assert not persistence.params_changed(job)
    other = job_of(job.rule, "results/other", params={"factor": 2}, inputs=[READ])
    assert persistence.params_changed(other)


def test_our_jobs_leave_no_metadata_and_are_never_incomplete(persistence):
    job = job_of(rule(), MADE, SIBLING)
    persistence.started(job)
    assert asyncio.run(persistence.incomplete(job)) == []
    asyncio.run(persistence.finished(job))
    assert not [path for path in Path(".snakemake/metadata").rglob("*") if path.is_file()]
    assert not [path for path in Path(".snakemake/incomplete").rglob("*") if path.is_file()]


@pytest.mark.parametrize("edited", [False, True])
def test_a_record_gets_the_age_of_outputs_that_are_what_it_says(persistence, edited):
    """Snakemake touches outputs after their job; one that was edited before stays newer."""
    job = job_of(rule(), MADE, SIBLING)
    os.utime(record_path(Path(MADE)), (100, 100))
    os.utime(MADE, (100, 100))
    os.utime(SIBLING, (200, 200) if edited else (90, 90))
    for name in (MADE, SIBLING):
        persistence.cleanup_backup(Path(name))
    os.utime(MADE, (300, 300))
    os.utime(SIBLING, (299, 299))
    asyncio.run(persistence.finished(job))
    assert record_path(Path(MADE)).stat().st_mtime == (100 if edited else 300)


def test_our_outputs_need_no_backup_and_those_of_others_have_one(persistence):
    Path("other").write_text("old")
    for name in (MADE, "other"):
        persistence.backup_output(Path(name))
    assert [p.name for p in Path(".snakemake/backups").rglob("*") if p.is_file()] == ["other"]
    Path("other").write_text("half")
    assert persistence.restore_output(Path("other"))
    assert Path("other").read_text() == "old"
    assert persistence.restore_output(Path(MADE)), "it was never touched"
    assert not persistence.restore_output(Path("results/never_made"))


@pytest.mark.parametrize(("expendable", "temporary"), [(True, True), (False, False)])
def test_only_what_was_made_to_be_dropped_is_dropped(expendable, temporary):
    write_record([MADE], [], expendable=expendable)
    path = AnnotatedString(MADE)
    path.flags["temp"] = True
    keep_permanent([path])
    assert ("temp" in path.flags) == temporary


@pytest.mark.parametrize(
    ("settings", "forced"),
    [({}, ""), ({"forceall": True}, "yes"), ({"forcerun": {"all"}}, "yes")],
)
def test_jobs_know_that_the_user_forces_them(settings, forced):
    RecordPersistence(dag=SimpleNamespace(workflow=workflow(**settings), jobs=[]))
    assert os.environ[FORCED] == forced


def test_in_a_submission_a_failure_does_not_stop_the_others():
    given = workflow()
    given.is_main_process, given.remote_exec = False, True
    RecordPersistence(dag=SimpleNamespace(workflow=given, jobs=[]))
    assert given.execution_settings.keep_going
