"""The harness around every script: whole files or none, true records, refusals in one sentence."""

import contextlib
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from latents.fingerprint import ROOT, file_hash
from latents.problem import Problem
from latents.record import digest, read_record, record_path
from latents.step import Step, execute, read_command_line, run, verified_digest


def a_step(folder: Path, **values) -> Step:
    source = folder / "in.txt"
    source.write_text("input")
    paths = (str(path.relative_to(ROOT)) for path in (ROOT / "latents").rglob("*.py"))
    code = {path: file_hash(path) for path in paths}
    job = {"code": code, "command": "c", "values": values}
    return Step("a_step", job, {"source": [source]}, {"made": [folder / "out.txt"]}, {})


def copy(*, source: Path, made: Path, text: str = "") -> None:
    made.write_text(source.read_text() + text)


def test_outputs_get_their_name_only_when_complete(tmp_path: Path):
    def fails(*, source: Path, made: Path) -> None:
        made.write_text("half")
        raise Problem("no")

    with pytest.raises(Problem):
        execute(a_step(tmp_path), fails)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.txt"]


def test_record_tells_what_was_made_from_what(tmp_path: Path):
    execute(a_step(tmp_path, text="!"), copy)
    made = tmp_path / "out.txt"
    record = read_record(made)
    assert made.read_text() == "input!"
    assert record["outputs"] == {str(made): digest(made)}
    assert record["inputs"] == {str(tmp_path / "in.txt"): digest(tmp_path / "in.txt")}
    assert record["job"]["values"] == {"text": "!"}
    assert record["seconds"] > 0


def test_an_old_record_never_stands_beside_a_new_file(tmp_path: Path, monkeypatch):
    """A kill between the two leaves a file without a record, which counts as stale."""
    execute(a_step(tmp_path, text="old"), copy)
    monkeypatch.setattr("latents.step.replacing", lambda path: exec("raise KeyboardInterrupt"))
    with pytest.raises(KeyboardInterrupt):
        execute(a_step(tmp_path, text="new"), copy)
    assert (tmp_path / "out.txt").read_text() == "inputnew"
    assert read_record(tmp_path / "out.txt") is None


def test_leftovers_of_a_killed_try_are_removed_first(tmp_path: Path):
    (tmp_path / ".partial.0123.out.txt").mkdir()
    (tmp_path / ".partial.0123.out.txt.record.json").write_text("{")
    execute(a_step(tmp_path), copy)
    assert (tmp_path / "out.txt").read_text() == "input"
    assert not list(tmp_path.glob(".*"))


def test_two_processes_at_one_job_never_write_into_one_file(tmp_path: Path, monkeypatch):
    """Should a lease fail: whose file was taken for a leftover gives up, nothing is mixed."""

    def is_overtaken(*, source: Path, made: Path) -> None:
        made.write_text("half")
        with monkeypatch.context() as other:
            other.setattr("latents.files.PROCESS", "other")
            other.setattr("latents.step.lease", contextlib.nullcontext)
            execute(a_step(tmp_path), copy)

    with pytest.raises(FileNotFoundError):
        execute(a_step(tmp_path), is_overtaken)
    made = tmp_path / "out.txt"
    assert made.read_text() == "input"
    assert read_record(made)["outputs"][str(made)] == digest(made)


def test_what_another_process_made_meanwhile_is_kept(tmp_path: Path, capsys):
    def fails(*, source: Path, made: Path, text: str = "") -> None:
        raise AssertionError

    execute(a_step(tmp_path), copy)
    execute(a_step(tmp_path), fails)
    assert "another process has just made" in capsys.readouterr().out
    with pytest.raises(AssertionError):
        execute(a_step(tmp_path, text="other"), fails)
    (tmp_path / "out.txt").write_text("inp")
    with pytest.raises(AssertionError):
        execute(a_step(tmp_path), fails)


def test_what_a_function_wants_done_last_is_done_last(tmp_path: Path):
    def copies_then_cleans(*, source: Path, made: Path):
        copy(source=source, made=made)
        return lambda: (tmp_path / "seen").write_text(
            str(read_record(tmp_path / "out.txt") is not None)
        )

    execute(a_step(tmp_path), copies_then_cleans)
    assert (tmp_path / "seen").read_text() == "True"


def test_key_depends_on_values_and_inputs_only(tmp_path: Path):
    keys = []
    for text in ("a", "a", "b"):
        execute(a_step(tmp_path, text=text), copy)
        keys.append(read_record(tmp_path / "out.txt")["key"])
    assert keys[0] == keys[1] != keys[2]


def test_an_input_that_is_not_what_was_written_is_refused(tmp_path: Path):
    execute(a_step(tmp_path), copy)
    made = tmp_path / "out.txt"
    assert verified_digest(made) == digest(made)
    made.write_text("inp")
    with pytest.raises(Problem, match="truncated or edited"):
        verified_digest(made)


def test_code_outside_the_fingerprint_is_refused(tmp_path: Path):
    step = a_step(tmp_path)
    del step.job["code"]["latents/variables.py"]
    import latents.variables  # noqa: F401

    with pytest.raises(Problem, match=r"does not cover.*latents/variables\.py"):
        execute(step, copy)
    assert not (tmp_path / "out.txt").exists()


def test_command_line_lists_and_settings():
    job = json.dumps({"code": {}, "command": "", "values": {"x": 1}})
    words = [job, "--in", "a=1.csv", "b=2.csv", "3.csv", "--out", "c=4.csv", "--with", "device=cpu"]
    step = read_command_line("name", words)
    assert step.inputs == {"a": [Path("1.csv")], "b": [Path("2.csv"), Path("3.csv")]}
    assert step.outputs == {"c": [Path("4.csv")]}
    assert step.settings == {"device": "cpu"}


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Problem("the reason"), "fails: the reason"),
        (OSError(28, "No space left on device"), "fails: no space left on the disk that holds"),
        (RuntimeError("I/O error: No space left on device (os error 28)"), "make room and run"),
        (MemoryError(), "fails: out of memory while making out.txt (it had"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried"), "out of memory"),
        (RuntimeError("CUDA out of memory. Tried to allocate\n2 GiB"), "out of memory"),
        (PermissionError(13, "Permission denied"), "fails: out.txt: Permission denied"),
        (PermissionError(13, "Permission denied", "a/b"), "fails: a/b: Permission denied"),
    ],
)
def test_failures_end_in_one_sentence(error, said, tmp_path: Path, monkeypatch):
    def fails(*, made: Path) -> None:
        raise error

    job = json.dumps({"code": {}, "command": "", "values": {}})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["fails.py", job, "--out", "made=out.txt"])
    with pytest.raises(SystemExit) as caught:
        run(fails)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("which", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_in_one_sentence_and_leaves_nothing(which, tmp_path: Path, monkeypatch):
    def is_stopped(*, made: Path) -> None:
        made.write_text("half")
        os.kill(os.getpid(), which)

    job = json.dumps({"code": {}, "command": "", "values": {}})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["is_stopped.py", job, "--out", "made=out.txt"])
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by background processes
    with pytest.raises(SystemExit, match="stopped by a signal; run the same command again"):
        run(is_stopped)
    assert list(tmp_path.iterdir()) == []


def test_other_errors_keep_their_traceback(tmp_path: Path, monkeypatch):
    def fails(*, made: Path) -> None:
        raise ZeroDivisionError

    monkeypatch.chdir(tmp_path)
    job = json.dumps({"code": {}, "command": "", "values": {}})
    monkeypatch.setattr(sys, "argv", ["fails.py", job, "--out", "made=out.txt"])
    with pytest.raises(ZeroDivisionError):
        run(fails)


def test_a_damaged_record_is_no_record(tmp_path: Path):
    made = tmp_path / "out.txt"
    for text in ("", "{", "[]", "{}", '{"inputs": {}}'):
        record_path(made).write_text(text)
        assert read_record(made) is None
