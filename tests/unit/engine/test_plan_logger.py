"""A dry run tells its jobs as JSON, and what goes wrong on standard error."""

import json
import logging

from snakemake_interface_logger_plugins.common import LogEvent

from latents.engine.plan_logger import LogHandler


def emit(level: int, **fields) -> None:
    record = logging.makeLogRecord({"msg": "said", "levelno": level, **fields})
    LogHandler(None, None).emit(record)


def test_a_job_is_one_line_of_json(capsys):
    fields = {"rule_name": "train_model", "shellcmd": "python a 'b c'\n x", "log": ["a.log"]}
    emit(logging.INFO, event=LogEvent.JOB_INFO, jobid=3, **fields)
    out, err = capsys.readouterr()
    assert json.loads(out) == fields
    assert out.count("\n") == 1
    assert not err


def test_errors_are_said_and_nothing_else(capsys):
    emit(logging.INFO, event=LogEvent.PROGRESS)
    emit(logging.WARNING)
    assert capsys.readouterr() == ("", "")
    emit(logging.ERROR)
    assert capsys.readouterr() == ("", "said\n")
