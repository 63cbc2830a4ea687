"""The harness around every script: whole files or none, true records, refusals in one sentence."""

import contextlib
import json
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from latents.runtime.atomic_files import settle
from latents.runtime.command_line import Step
from latents.runtime.errors import Problem
from latents.runtime.fingerprint import Fingerprint
from latents.runtime.record import digest, read_record
from latents.runtime.step import Outcome, execute, run
from latents.runtime.supervision import FORCED, supervised
from tests.conftest import ROOT

JOB = {"code": "c", "modules": [], "command": "", "values": {}}
FILES = frozenset(str(p.relative_to(ROOT)) for p in (ROOT / "latents").rglob("*.py"))
CODE = Fingerprint("c", {"a.py": {"f": "0123"}}, FILES)


@pytest.fixture(autouse=True)
def code(monkeypatch):
    """Steps of these tests are no scripts."""
    monkeypatch.setattr("latents.runtime.supervision.fingerprint", lambda *_: CODE)


def a_step(folder: Path, **values) -> Step:
    source = folder / "in.txt"
    source.write_text("input")
    job = {**JOB, "values": values}
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
    monkeypatch.setattr(
        "latents.runtime.supervision.replacing", lambda path: exec("raise KeyboardInterrupt")
    )
    with pytest.raises(KeyboardInterrupt):
        execute(a_step(tmp_path, text="new"), copy)
    assert (tmp_path / "out.txt").read_text() == "inputnew"
    assert read_record(tmp_path / "out.txt") is None


def two_files(folder: Path, **values) -> Step:
    step = a_step(folder, **values)
    outputs = {"made": [folder / "out.txt"], "other": [folder / "other.txt"]}
    return replace(step, outputs=outputs)


def copy_twice(*, source: Path, made: Path, other: Path, text: str = "") -> None:
    for path in (made, other):
        path.write_text(source.read_text() + text)


def test_a_job_has_one_record_for_all_its_outputs(tmp_path: Path):
    execute(two_files(tmp_path), copy_twice)
    made, other = tmp_path / "out.txt", tmp_path / "other.txt"
    assert [p.name for p in (tmp_path / ".records").iterdir()] == ["out.txt.json"]
    assert read_record(made) == read_record(other)
    assert read_record(made)["outputs"] == {str(p): digest(p) for p in (made, other)}
    assert sorted(p.name for p in tmp_path.glob("[!.]*")) == ["in.txt", "other.txt", "out.txt"]


def test_no_output_is_in_place_while_an_old_record_is(tmp_path: Path, monkeypatch):
    """A kill between two outputs leaves both without a record, which count as stale."""
    execute(two_files(tmp_path, text="old"), copy_twice)

    def killed(temporary: Path, path: Path) -> None:
        if path.name == "other.txt":
            raise KeyboardInterrupt
        settle(temporary, path)

    monkeypatch.setattr("latents.runtime.step.settle", killed)
    with pytest.raises(KeyboardInterrupt):
        execute(two_files(tmp_path, text="new"), copy_twice)
    texts = [(tmp_path / name).read_text() for name in ("out.txt", "other.txt")]
    assert texts == ["inputnew", "inputold"]
    assert read_record(tmp_path / "out.txt") is read_record(tmp_path / "other.txt") is None


def test_the_record_of_a_job_whose_outputs_were_others_goes(tmp_path: Path):
    execute(two_files(tmp_path), copy_twice)
    turned = two_files(tmp_path)
    outputs = dict(reversed(turned.outputs.items()))
    execute(replace(turned, outputs=outputs, job={**turned.job, "command": "d"}), copy_twice)
    assert [p.name for p in (tmp_path / ".records").iterdir()] == ["other.txt.json"]
    assert read_record(tmp_path / "out.txt")["job"]["command"] == "d"


def test_outputs_in_several_folders_are_refused(tmp_path: Path):
    step = two_files(tmp_path)
    elsewhere = replace(step, outputs={**step.outputs, "other": [tmp_path / "sub" / "other.txt"]})
    with pytest.raises(Problem, match=f"one folder, and lie in {tmp_path} and {tmp_path}/sub"):
        execute(elsewhere, copy_twice)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.txt"]


def test_a_function_tells_what_belongs_in_the_record(tmp_path: Path):
    def tells(*, source: Path, made: Path) -> Outcome:
        copy(source=source, made=made)
        return Outcome(identifier="0123", seeds=(3,), data=("sprites",), also_read={"a": "b"})

    execute(a_step(tmp_path), tells)
    record = read_record(tmp_path / "out.txt")
    assert (record["identifier"], record["also_read"]) == ("0123", {"a": "b"})
    follows = replace(
        a_step(tmp_path),
        inputs={"source": [tmp_path / "out.txt"]},
        outputs={"made": [tmp_path / "next.txt"]},
    )
    execute(follows, copy)
    record = read_record(tmp_path / "next.txt")
    assert (record["seeds"], record["data"]) == ([3], ["sprites"])
    assert (record["identifier"], record["also_read"]) == (record["key"], {})


def test_leftovers_of_a_killed_try_are_removed_first(tmp_path: Path):
    (tmp_path / ".partial.0123.out.txt").mkdir()
    (tmp_path / ".records").mkdir()
    (tmp_path / ".records" / ".partial.0123.out.txt.json").write_text("{")
    execute(a_step(tmp_path), copy)
    assert (tmp_path / "out.txt").read_text() == "input"
    assert [path.name for path in tmp_path.rglob(".*")] == [".records"]
    assert [path.name for path in (tmp_path / ".records").iterdir()] == ["out.txt.json"]


def test_two_processes_at_one_job_never_write_into_one_file(tmp_path: Path, monkeypatch):
    """Should a lease fail: whose file was taken for a leftover gives up, nothing is mixed."""

    def is_overtaken(*, source: Path, made: Path) -> None:
        made.write_text("half")
        with monkeypatch.context() as other:
            other.setattr("latents.runtime.atomic_files.process_name", lambda: "other")
            other.setattr("latents.runtime.supervision.lease", contextlib.nullcontext)
            execute(a_step(tmp_path), copy)

    with pytest.raises(FileNotFoundError):
        execute(a_step(tmp_path), is_overtaken)
    made = tmp_path / "out.txt"
    assert made.read_text() == "input"
    assert read_record(made)["outputs"][str(made)] == digest(made)


def test_a_job_whose_outputs_are_there_has_nothing_to_do(tmp_path: Path, capsys, monkeypatch):
    def fails(*, source: Path, made: Path, text: str = "") -> None:
        raise AssertionError

    execute(a_step(tmp_path), copy)
    execute(a_step(tmp_path), fails)
    assert "a_step: nothing to do, " in capsys.readouterr().out
    monkeypatch.setenv(FORCED, "yes")
    with pytest.raises(AssertionError):
        execute(a_step(tmp_path), fails)
    monkeypatch.setenv(FORCED, "")
    with pytest.raises(AssertionError):
        execute(a_step(tmp_path, text="other"), fails)
    (tmp_path / "out.txt").write_text("inp")
    with pytest.raises(AssertionError):
        execute(a_step(tmp_path), fails)


def test_what_a_function_wants_done_last_is_done_last(tmp_path: Path):
    def copies_then_cleans(*, source: Path, made: Path):
        copy(source=source, made=made)
        return Outcome(
            finish=lambda: (tmp_path / "seen").write_text(
                str(read_record(tmp_path / "out.txt") is not None)
            )
        )

    execute(a_step(tmp_path), copies_then_cleans)
    assert (tmp_path / "seen").read_text() == "True"


def test_key_depends_on_values_and_inputs_only(tmp_path: Path):
    keys = []
    for text in ("a", "a", "b"):
        execute(a_step(tmp_path, text=text), copy)
        keys.append(read_record(tmp_path / "out.txt")["key"])
    assert keys[0] == keys[1] != keys[2]


def test_code_outside_the_fingerprint_is_refused(tmp_path: Path, monkeypatch):
    import latents.evaluation.variable_types  # noqa: F401

    fewer = replace(CODE, files=FILES - {"latents/evaluation/variable_types.py"})
    monkeypatch.setattr("latents.runtime.supervision.fingerprint", lambda *_: fewer)
    with pytest.raises(Problem, match=r"does not cover.*latents/evaluation/variable_types\.py"):
        execute(a_step(tmp_path), copy)
    assert not (tmp_path / "out.txt").exists()


def test_code_that_was_edited_since_the_plan_is_refused(tmp_path: Path):
    step = a_step(tmp_path)
    with pytest.raises(Problem, match="its code was changed after this job was planned"):
        execute(replace(step, job={**step.job, "code": "another"}), copy)
    assert not (tmp_path / "out.txt").exists()


def test_what_surrounds_a_job_holds_copies_alone(tmp_path: Path, monkeypatch):
    """An edit there cannot shift an argument on its way into the function."""
    step = a_step(tmp_path, text="!")

    @contextlib.contextmanager
    def shifting(held: Step):
        held.job["values"]["text"] = "shifted"
        held.inputs["source"][0] = tmp_path / "another.txt"
        with supervised(held) as job:
            yield job

    monkeypatch.setattr("latents.runtime.step.supervised", shifting)
    (tmp_path / "another.txt").write_text("another")
    execute(step, copy)
    assert (tmp_path / "out.txt").read_text() == "input!"


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

    job = json.dumps(JOB)
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

    job = json.dumps(JOB)
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
    job = json.dumps(JOB)
    monkeypatch.setattr(sys, "argv", ["fails.py", job, "--out", "made=out.txt"])
    with pytest.raises(ZeroDivisionError):
        run(fails)
