"""Small made-up packs: equal bytes for equal content, and a refusal of everything else."""

import hashlib
import json
import os
import stat
import zipfile
from pathlib import Path

import pytest

from latents.files import settle
from latents.pack import MANIFEST, member, write_pack
from latents.problem import Problem
from latents.record import digest, job_key, record_path, sealed
from latents.unpack import check_pack, place_pack

TABLE, FIGURE = "results/small/table.csv", "figures/fig.txt"
GIVEN = "data/own.csv"


def make(folder: Path, step: str, inputs: tuple[str, ...], outputs: dict[str, str]) -> None:
    """Files and records as a job would have left them."""
    for path, text in outputs.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    job = {"code": {}, "command": step, "values": {}}
    read = {path: digest(folder / path) for path in inputs}
    made = {path: digest(folder / path) for path in outputs}
    record = {"step": step, "key": job_key(job, read), "job": job, "inputs": read, "outputs": made}
    record |= {"also_read": {}, "configuration": {"seeds": 1}, "started": "", "seconds": 1}
    record |= {"code": {"commit": "c", "changed": []}}
    for path in outputs:
        record_path(folder / path).write_text(json.dumps(sealed(record)))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    (folder / "data").mkdir(parents=True)
    (folder / GIVEN).write_text("mine")
    make(folder, "tabulate", (GIVEN,), {TABLE: "a,b\n1,2\n"})
    make(folder, "draw", (TABLE,), {FIGURE: "figure", "figures/fig.csv": "a\n1\n"})
    return folder


@pytest.fixture
def pack(tree: Path, tmp_path: Path) -> Path:
    write_pack(FIGURE, tree, tmp_path / "fig.pack.zip")
    return tmp_path / "fig.pack.zip"


@pytest.fixture
def there(tmp_path: Path) -> Path:
    (tmp_path / "there").mkdir()
    return tmp_path / "there"


def contents(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def unpack(pack: Path, folder: Path) -> list[str]:
    return place_pack(check_pack(pack), folder)


def rewrite(pack: Path, change) -> None:
    """The archive anew, with what `change` makes of its members' contents."""
    with zipfile.ZipFile(pack) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(pack, "w") as archive:
        for name, content in members.items():
            archive.writestr(member(name, len(content)), content)


def refused(pack: Path, there: Path, said: str) -> None:
    with pytest.raises(Problem, match=said) as caught:
        unpack(pack, there)
    assert "nothing was written" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(there.iterdir()) == []


def test_a_round_trip_moves_everything_but_the_given_file(tree, pack, there):
    unpack(pack, there)
    expected = contents(tree)
    del expected[GIVEN]
    assert contents(there) == expected


def test_files_are_older_than_what_was_made_from_them_and_than_their_records(pack, there):
    unpack(pack, there)
    chain = [TABLE, f"{TABLE}.record.json", FIGURE, f"{FIGURE}.record.json"]
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
        (f"{TABLE}.record.json", "nothing records how"),
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


def test_any_changed_byte_is_refused_or_changes_nothing(pack, tmp_path):
    """All that a member says is covered; some bytes of the archive's own say nothing."""
    whole, unnoticed = pack.read_bytes(), 0
    unpack(pack, tmp_path / "honest")
    for place in range(0, len(whole), 13):
        pack.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        folder = tmp_path / str(place)
        try:
            unpack(pack, folder)
            unnoticed += 1
            assert contents(folder) == contents(tmp_path / "honest")
        except Problem:
            assert not folder.exists()
    assert unnoticed < 0.1 * len(whole) / 13


@pytest.mark.parametrize("length", [0, 10, 500, -1, -30])
def test_a_truncated_pack_is_refused(length, pack, there):
    pack.write_bytes(pack.read_bytes()[:length])
    refused(pack, there, "not a readable pack")


def test_a_missing_member(pack, there):
    rewrite(pack, lambda members: members.pop(TABLE))
    refused(pack, there, f"{TABLE} is missing")


@pytest.mark.parametrize("name", ["results/more.csv", "../out.txt", "/etc/out", "Snakefile"])
def test_an_added_member(name, pack, there):
    rewrite(pack, lambda members: members.update({name: b"more"}))
    refused(pack, there, f"{name} does not belong in it")


def test_an_edited_manifest(pack, there):
    def change(members):
        members[MANIFEST] = members[MANIFEST].replace(b'"seeds": 1', b'"seeds": 2')

    rewrite(pack, change)
    refused(pack, there, "its manifest was edited")


def resealed(members: dict[str, bytes], **changes) -> None:
    """A manifest that fits its members again."""
    manifest = json.loads(members[MANIFEST]) | changes
    manifest["files"] = [
        {"path": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in members.items()
        if name != MANIFEST
    ]
    members[MANIFEST] = json.dumps(sealed(manifest)).encode()


@pytest.mark.parametrize(
    "name",
    ["../out.csv", "/tmp/out.csv", "results/../../out.csv", "results//out.csv", "./results/out.csv",
     "latents/out.csv", "results", "results\\..\\..\\out.csv", "data/own.csv"],
)  # fmt: skip
def test_a_path_outside_results_and_figures(name, pack, there):
    def change(members):
        members[name] = b"out"
        resealed(members)

    rewrite(pack, change)
    refused(pack, there, "lies outside results/ and figures/")


def test_a_manifest_that_fits_an_exchanged_file_fits_no_record(pack, there):
    def change(members):
        members[TABLE] = b"a,b\n9,9\n"
        resealed(members)

    rewrite(pack, change)
    refused(pack, there, f"{TABLE} is not what its record says")


def test_an_edited_record_under_a_manifest_that_fits(pack, there):
    def change(members):
        name = f"{TABLE}.record.json"
        members[name] = members[name].replace(b'"seconds": 1', b'"seconds": 2')
        resealed(members)

    rewrite(pack, change)
    refused(pack, there, f"the record of {TABLE} was edited")


@pytest.mark.parametrize("change", [{"configuration": {}}, {"given": {}}, {"more": 1}])
def test_a_manifest_that_tells_another_story_than_the_records(change, pack, there):
    rewrite(pack, lambda members: resealed(members, **change))
    refused(pack, there, "does not tell what its records tell")


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b"null", b"[" * 100_000, b"\xff"])
def test_a_manifest_that_is_none(text, pack, there):
    rewrite(pack, lambda members: members.update({MANIFEST: text}))
    refused(pack, there, "not a readable pack")


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"outputs": 3}'])
def test_a_record_that_is_none(text, pack, there):
    def change(members):
        members[f"{TABLE}.record.json"] = text
        resealed(members)

    rewrite(pack, change)
    refused(pack, there, "refused|not a readable pack")


def test_a_symbolic_link(pack, there):
    with zipfile.ZipFile(pack, "a") as archive:
        link = member("results/link", 4)
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/tmp")
    refused(pack, there, "results/link is not a plain file")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_twice(pack, there):
    with zipfile.ZipFile(pack, "a") as archive:
        archive.writestr(member(TABLE, 4), "more")
    refused(pack, there, f"{TABLE} is in it 2 times")


def test_a_compressed_member(pack, there):
    with zipfile.ZipFile(pack, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("results/bomb", b"0" * 1_000_000)
    refused(pack, there, "results/bomb is not a plain file")


def test_what_is_here_already_is_kept(pack, there):
    unpack(pack, there)
    record = record_path(there / TABLE)
    content = json.loads(record.read_text())
    record.write_text(json.dumps(sealed({**content, "started": "here"})))
    (there / FIGURE).unlink()
    assert unpack(pack, there) == [FIGURE, f"{FIGURE}.record.json"]
    assert json.loads(record.read_text())["started"] == "here"


def test_a_file_without_a_record_gets_one(pack, there):
    unpack(pack, there)
    record_path(there / TABLE).unlink()
    assert unpack(pack, there) == [f"{TABLE}.record.json"]


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

    monkeypatch.setattr("latents.unpack.os.fsync", full)
    with pytest.raises(Problem, match=r"could not be placed .*No space left"):
        unpack(pack, there)
    assert contents(there) == {}


def test_a_kill_while_placing_is_completed_by_the_next_try(pack, there, monkeypatch):
    def killed(temporary: Path, path: Path) -> None:
        if path.name == "fig.csv.record.json":
            raise KeyboardInterrupt
        settle(temporary, path)

    monkeypatch.setattr("latents.unpack.settle", killed)
    with pytest.raises(KeyboardInterrupt):
        unpack(pack, there)
    assert (there / "figures/fig.csv").exists()
    assert not list(there.rglob(".partial.*"))
    monkeypatch.undo()
    assert unpack(pack, there)[0] == "figures/fig.csv.record.json"


def test_a_folder_in_which_a_run_is_under_way(pack, there):
    (there / ".snakemake/locks").mkdir(parents=True)
    (there / ".snakemake/locks/0.input.lock").touch()
    with pytest.raises(Problem, match="a Snakemake run holds this folder"):
        unpack(pack, there)
