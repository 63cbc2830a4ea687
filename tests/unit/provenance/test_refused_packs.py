"""Archives and manifests that are not what they say are refused, and nothing is written."""

import json
import stat
import zipfile

import pytest

from latents.provenance.pack import MANIFEST, member
from latents.runtime.errors import Problem
from latents.runtime.record import sealed
from tests.unit.provenance.small_packs import (
    FIGURE,
    RECORDS,
    TABLE,
    contents,
    refused,
    resealed,
    rewrite,
    unpack,
)


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


@pytest.mark.parametrize("change", [{"configuration": {}}, {"given": {}}, {"more": 1}])
def test_a_manifest_that_tells_another_story_than_the_records(change, pack, there):
    rewrite(pack, lambda members: resealed(members, **change))
    refused(pack, there, "does not tell what its records tell")


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b"null", b"[" * 100_000, b"\xff"])
def test_a_manifest_that_is_none(text, pack, there):
    rewrite(pack, lambda members: members.update({MANIFEST: text}))
    refused(pack, there, "not a readable pack")


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


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("figures/.records/table.csv.json", "is not the one record of results/small/table.csv"),
        ("results/small/.records/other.csv.json", "is not the one record of"),
        ("results/small/table.csv.json", "nothing records how results/small/table.csv was made"),
    ],
)
def test_a_record_that_lies_where_nothing_looks_for_it(place, said, pack, there):
    def change(members):
        members[place] = members.pop(RECORDS[TABLE])
        resealed(members)

    rewrite(pack, change)
    refused(pack, there, said)


def test_a_second_record_of_a_file(pack, there):
    def change(members):
        members["figures/.records/fig.csv.json"] = members[RECORDS[FIGURE]]
        resealed(members)

    rewrite(pack, change)
    refused(pack, there, "is not the one record of figures/fig")


def test_a_record_of_a_job_outside_the_chain(pack, there):
    def change(members):
        record = json.loads(members[RECORDS[TABLE]])
        more = sealed({**record, "outputs": {"results/small/more.csv": "0"}})
        members["results/small/.records/more.csv.json"] = json.dumps(more).encode()
        resealed(members)

    rewrite(pack, change)
    refused(pack, there, "more.csv.json does not belong in it")
