"""Finished files through Snakemake's hands: removed, dropped and forced only where they may be."""

import asyncio
import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
import snakemake.api  # noqa: F401 - first: its modules import each other in circles
from snakemake.dag import DAG
from snakemake.jobs import Job

from latents import job_list
from latents.file_care import keep_files_by_records, work_through_submissions
from latents.record import KEYS, record_path

MADE, OLD = "results/made", "results/old"


@pytest.fixture(autouse=True)
def started(tmp_path, monkeypatch):
    """A workflow; one file was made before its start, and one since."""
    monkeypatch.chdir(tmp_path)
    listed = tmp_path / "jobs.json"
    monkeypatch.setenv(job_list.VARIABLE, str(listed))
    Path("results").mkdir()
    for path, when in ((listed, 100), (Path(OLD), 50), (Path(MADE), 150)):
        path.write_text("")
        record_path(path).write_text(json.dumps(dict.fromkeys(KEYS)))
        for file in (path, record_path(path)):
            os.utime(file, (when, when))


@pytest.fixture
def calls(monkeypatch) -> list:
    """Snakemake's own methods, which here only tell that they were called."""
    found: list = []

    async def own(self, *arguments, **options) -> None:
        found.append(self)

    for owner, name in (
        (DAG, "check_and_touch_output"),
        (DAG, "update_needrun"),
        (Job, "remove_existing_output"),
    ):
        monkeypatch.setattr(owner, name, own)
    monkeypatch.setattr(DAG, "is_needed_tempfile", lambda *arguments: False)
    return found


@pytest.mark.parametrize(
    ("outputs", "removed"), [([MADE], False), ([OLD], True), ([MADE, OLD], True), (["new"], True)]
)
def test_only_what_was_made_since_the_start_is_not_removed(calls, outputs, removed):
    keep_files_by_records()
    asyncio.run(Job.remove_existing_output(SimpleNamespace(output=outputs)))
    assert bool(calls) == removed


@pytest.mark.parametrize(("expendable", "dropped"), [(True, True), (False, False)])
def test_only_what_was_made_to_be_dropped_is_dropped(calls, expendable, dropped):
    keep_files_by_records()
    record = {**dict.fromkeys(KEYS), "expendable": expendable}
    record_path(Path(OLD)).write_text(json.dumps(record))
    assert DAG.is_needed_tempfile(None, None, OLD) != dropped


def test_records_get_the_age_of_files_that_are_what_they_say(calls):
    keep_files_by_records()
    os.utime(OLD, (60, 60))  # newer than its record: edited
    asyncio.run(DAG.check_and_touch_output(None, SimpleNamespace(output=[OLD, MADE])))
    assert [record_path(Path(name)).stat().st_mtime for name in (OLD, MADE)] == [50, 150]


def test_a_submission_makes_what_is_not_made_yet_and_goes_on_after_failures(calls):
    work_through_submissions()
    settings = SimpleNamespace(keep_going=False)
    dag = SimpleNamespace(
        forcefiles={MADE, OLD, "new"}, workflow=SimpleNamespace(execution_settings=settings)
    )
    asyncio.run(DAG.update_needrun(dag))
    assert dag.forcefiles == {OLD, "new"}
    assert settings.keep_going
    assert calls == [dag]
