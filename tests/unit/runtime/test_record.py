"""Records: one per job, found from each of its outputs wherever their folder was copied to."""

import json
import os
import shutil
from pathlib import Path

import pytest

from latents.runtime.atomic_files import replacing
from latents.runtime.errors import Problem
from latents.runtime.record import (
    KEYS,
    all_records,
    digest,
    find_record,
    forget,
    is_dropped,
    is_record,
    read_record,
    record_path,
    verified_digest,
)

PDF, TABLE, OTHER = "figures/fig9.pdf", "figures/fig9.csv", "figures/fig10.pdf"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch) -> Path:
    """A folder with two figures of two jobs; one of them has a table."""
    monkeypatch.chdir(tmp_path)
    write(PDF, TABLE, step="draw nine")
    write(OTHER, step="draw ten")
    return tmp_path


def write(*outputs: str, **facts) -> Path:
    """Outputs and their record as a job would leave them."""
    for name in outputs:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(name)
    told = {"outputs": {name: digest(Path(name)) for name in outputs}, **facts}
    path = record_path(Path(outputs[0]))
    with replacing(path) as temporary:
        temporary.write_text(json.dumps({**dict.fromkeys(KEYS), **told}))
    return path


def step_of(artefact: str | Path) -> str | None:
    record = read_record(Path(artefact))
    return record["step"] if record else None


def test_the_folder_shows_artefacts_only():
    shown = sorted(name for name in os.listdir("figures") if not name.startswith("."))
    assert shown == ["fig10.pdf", "fig9.csv", "fig9.pdf"]
    assert sorted(os.listdir("figures/.records")) == ["fig10.pdf.json", "fig9.pdf.json"]


def test_every_output_finds_the_record_of_its_job():
    assert [step_of(name) for name in (PDF, TABLE, OTHER)] == ["draw nine", "draw nine", "draw ten"]
    assert find_record(Path(TABLE)) == record_path(Path(PDF))


def test_a_path_from_elsewhere_finds_it_too(folder: Path, monkeypatch):
    monkeypatch.chdir("/")
    assert step_of(folder / TABLE) == "draw nine"


def test_a_copied_folder_brings_its_records_along(folder: Path):
    shutil.copytree("figures", "elsewhere/copy")
    shutil.rmtree("figures")
    assert step_of(folder / "elsewhere/copy/fig9.csv") == "draw nine"
    assert step_of(folder / "elsewhere/copy/fig9.pdf") == "draw nine"


@pytest.mark.parametrize("name", ["figures/fig9", "figures/g9.csv", "figures/x", "new/fig9.csv"])
def test_a_file_that_no_record_names_has_none(name: str):
    assert find_record(Path(name)) is read_record(Path(name)) is None


def test_a_file_in_a_path_is_no_folder_of_records():
    assert read_record(Path(PDF, "part.csv")) is None
    Path("results").mkdir()
    Path("results/.records").touch()
    assert read_record(Path("results/table.csv")) is None


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"inputs": {}}', json.dumps(dict.fromkeys(sorted(KEYS), 3)), "\0"],
)
def test_a_damaged_record_is_none_for_all_its_outputs_and_for_no_others(text: str):
    record_path(Path(PDF)).write_text(text)
    assert [step_of(name) for name in (PDF, TABLE, OTHER)] == [None, None, "draw ten"]
    assert [str(path) for path, _ in all_records(Path())] == [OTHER]


def test_a_record_that_is_named_after_a_file_comes_before_one_that_tells_of_it():
    write(TABLE, step="tabulate")
    assert [step_of(name) for name in (PDF, TABLE)] == ["draw nine", "tabulate"]


def test_a_record_that_was_replaced_is_read_again():
    assert step_of(TABLE) == "draw nine"
    assert step_of("figures/fig9.txt") is None
    write(PDF, "figures/fig9.txt", step="draw again")
    assert step_of(TABLE) is None
    assert step_of("figures/fig9.txt") == "draw again"


def test_a_folder_at_rest_is_read_once_and_again_when_it_has_changed(folder: Path, monkeypatch):
    """So that a plan of thousands of files takes seconds."""
    read = []
    listed = os.listdir
    monkeypatch.setattr(
        "latents.runtime.record.os.listdir", lambda path: read.append(path) or listed(path)
    )
    os.utime(folder / "figures/.records", (1e9, 1e9))
    assert [step_of(folder / TABLE), step_of(folder / "figures/x")] == ["draw nine", None]
    assert len(read) == 1
    write(PDF, "figures/x", step="draw again")
    assert [step_of(folder / TABLE), step_of(folder / "figures/x")] == [None, "draw again"]


def test_a_record_that_is_still_being_written_is_none():
    record_path(Path(PDF)).rename("figures/.records/.partial.0123.fig9.pdf.json")
    assert step_of(PDF) is step_of(TABLE) is None
    assert [str(path) for path, _ in all_records(Path())] == [OTHER]
    assert not is_record("figures/.records/.partial.0123.fig9.pdf.json")
    assert is_record("figures/.records/fig9.pdf.json")
    assert not is_record("figures/fig9.json")


def test_forgetting_removes_all_records_of_a_file_and_no_others():
    write(TABLE, step="tabulate")
    forget(Path(TABLE))
    assert [step_of(name) for name in (PDF, TABLE, OTHER)] == [None, None, "draw ten"]
    forget(Path(TABLE))


def test_a_file_system_that_fails_is_no_missing_record(monkeypatch):
    def fails(folder: Path) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("latents.runtime.record.os.listdir", fails)
    assert step_of(PDF) == "draw nine"
    with pytest.raises(Problem, match=r"\.records cannot be read \(Input/output error\); try"):
        read_record(Path(TABLE))


def test_all_records_are_listed_once_with_what_they_are_named_after():
    write("results/smoke/models/a/model", "results/smoke/models/a/history", step="train")
    found = [(str(path), record["step"]) for path, record in all_records(Path())]
    figures = [(OTHER, "draw ten"), (PDF, "draw nine")]
    assert found == [("results/smoke/models/a/model", "train"), *figures]


@pytest.mark.parametrize("expendable", [True, False])
def test_only_an_expendable_file_that_is_gone_was_dropped(expendable: bool):
    write(PDF, TABLE, expendable=expendable)
    assert not is_dropped(Path(TABLE))
    Path(TABLE).unlink()
    assert is_dropped(Path(TABLE)) == expendable
    assert not is_dropped(Path(PDF))


@pytest.mark.parametrize("name", [PDF, TABLE])
def test_an_input_that_is_not_what_was_written_is_refused(name: str):
    assert verified_digest(Path(name)) == digest(Path(name))
    Path(name).write_text("fig")
    with pytest.raises(Problem, match="truncated or edited"):
        verified_digest(Path(name))


def test_an_input_without_a_record_is_taken_as_it_is():
    Path("own.csv").write_text("mine")
    assert verified_digest(Path("own.csv")) == digest(Path("own.csv"))
