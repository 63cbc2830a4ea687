"""Small made-up packs: equal bytes for equal content, and nothing here is overwritten."""

import json
import os
from pathlib import Path

import pytest

from latents.provenance.pack import write_pack
from latents.runtime.atomic_files import settle
from latents.runtime.errors import Problem
from latents.runtime.record import record_path, sealed
from tests.unit.provenance.small_packs import (
    FIGURE,
    GIVEN,
    RECORDS,
    TABLE,
    contents,
    make,
    refused,
    resealed,
    rewrite,
    unpack,
)


def test_a_round_trip_moves_everything_but_the_given_file(tree, pack, there):
    unpack(pack, there)
    expected = contents(tree)
    del expected[GIVEN]
    assert contents(there) == expected


def test_files_are_older_than_what_was_made_from_them_and_than_their_records(pack, there):
    unpack(pack, there)
    chain = [TABLE, RECORDS[TABLE], FIGURE, RECORDS[FIGURE]]
    times = [(there / path).stat().st_mtime_ns for path in chain]
    assert times == sorted(times)


def test_equal_content_gives_equal_bytes(tree, pack, tmp_path):
    for path in tree.rglob("*"):
        os.utime(path, (1e9, 1e9))
    write_pack(FIGURE, tree, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == pack.read_bytes()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (TABLE, "is not what its record says"),
        ("figures/fig.csv", "is not what its record says"),
        (RECORDS[TABLE], "nothing records how"),
    ],
)
def test_only_whole_chains_are_packed(path, said, tree, tmp_path):
    (tree / path).write_text("{}")
    with pytest.raises(Problem, match=said):
        write_pack(FIGURE, tree, tmp_path / "bad.zip")
    assert not list(tmp_path.glob("*.zip"))


def test_a_chain_whose_input_was_made_anew_is_not_packed(tree, tmp_path):
    make(tree, "tabulate", (GIVEN,), {TABLE: "a,b\n1,3\n"})
    with pytest.raises(Problem, match=f"made from another {TABLE}"):
        write_pack(FIGURE, tree, tmp_path / "bad.zip")


def test_an_existing_file_is_not_packed_over(tree, pack):
    with pytest.raises(Problem, match="is there already"):
        write_pack(FIGURE, tree, pack)


def test_a_manifest_that_fits_an_exchanged_file_fits_no_record(pack, there):
    def change(members):
        members[TABLE] = b"a,b\n9,9\n"
        resealed(members)

    rewrite(pack, change)
    refused(pack, there, f"{TABLE} is not what its record says")


def test_an_edited_record_under_a_manifest_that_fits(pack, there):
    def change(members):
        name = RECORDS[TABLE]
        members[name] = members[name].replace(b'"seconds": 1', b'"seconds": 2')
        resealed(members)

    rewrite(pack, change)
    refused(pack, there, f"the record of {TABLE} was edited")


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"outputs": 3}'])
def test_a_record_that_is_none(text, pack, there):
    def change(members):
        members[RECORDS[TABLE]] = text
        resealed(members)

    rewrite(pack, change)
    refused(pack, there, "refused|not a readable pack")


def test_what_is_here_already_is_kept(pack, there):
    unpack(pack, there)
    record = record_path(there / TABLE)
    content = json.loads(record.read_text())
    record.write_text(json.dumps(sealed({**content, "started": "here"})))
    (there / FIGURE).unlink()
    assert unpack(pack, there) == [FIGURE, RECORDS[FIGURE]]
    assert json.loads(record.read_text())["started"] == "here"


def test_a_file_without_a_record_gets_one(pack, there):
    unpack(pack, there)
    record_path(there / TABLE).unlink()
    assert unpack(pack, there) == [RECORDS[TABLE]]


def test_another_file_in_the_way_is_named_and_left(pack, there):
    make(there, "tabulate", (), {TABLE: "newer"})
    before = contents(there)
    with pytest.raises(Problem, match=f"{TABLE} is here already, and another one"):
        unpack(pack, there)
    assert contents(there) == before


def test_the_same_bytes_of_another_job_are_in_the_way_too(pack, there):
    make(there, "another", (), {TABLE: "a,b\n1,2\n"})
    with pytest.raises(Problem, match="made by another code"):
        unpack(pack, there)


def test_a_full_disk_leaves_nothing(pack, there, monkeypatch):
    def full(descriptor: int) -> None:
        if len(list(there.rglob(".partial.*"))) == 4:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("latents.provenance.unpack.os.fsync", full)
    with pytest.raises(Problem, match=r"could not be placed .*No space left"):
        unpack(pack, there)
    assert contents(there) == {}


def test_a_kill_while_placing_is_completed_by_the_next_try(pack, there, monkeypatch):
    def killed(temporary: Path, path: Path) -> None:
        if path.name == "fig.txt.json":
            raise KeyboardInterrupt
        settle(temporary, path)

    monkeypatch.setattr("latents.provenance.unpack.settle", killed)
    with pytest.raises(KeyboardInterrupt):
        unpack(pack, there)
    assert (there / "figures/fig.csv").exists()
    assert not list(there.rglob(".partial.*"))
    monkeypatch.undo()
    assert unpack(pack, there) == [RECORDS[FIGURE]]


def test_a_folder_in_which_a_run_is_under_way(pack, there):
    (there / ".snakemake/locks").mkdir(parents=True)
    (there / ".snakemake/locks/0.input.lock").touch()
    with pytest.raises(Problem, match="a Snakemake run holds this folder"):
        unpack(pack, there)
