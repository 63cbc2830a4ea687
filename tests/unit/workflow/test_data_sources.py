"""Original or twin: what the user wishes, and what is there."""

from pathlib import Path

import pytest

from latents.runtime.errors import Problem
from latents.workflow.data_sources import choose_source, chosen_files

FILES = [{"file": "a.npz", "url": "https://example.org/a.npz"}, {"file": "b.npz"}]
LICENSED = {"originals": [{"file": "mine.pth"}]}


@pytest.mark.parametrize(
    ("wish", "there", "has_twin", "chosen"),
    [
        ("auto", True, True, "original"),
        ("auto", True, False, "original"),
        ("auto", False, True, "twin"),
        ("twin", True, True, "twin"),
        ("twin", False, True, "twin"),
        ("original", True, True, "original"),
        ("original", False, True, "original"),
    ],
)
def test_choices(wish, there, has_twin, chosen, tmp_path: Path):
    for file in FILES if there else []:
        (tmp_path / file["file"]).touch()
    assert choose_source("d", {"originals": FILES}, wish, tmp_path, has_twin) == chosen


def test_auto_needs_all_files(tmp_path: Path):
    (tmp_path / "a.npz").touch()
    assert choose_source("d", {"originals": FILES}, "auto", tmp_path, True) == "twin"


def test_one_may_be_enough(tmp_path: Path):
    row = {"originals": FILES, "one_is_enough": True}
    assert chosen_files(row, tmp_path) == FILES[:1]
    (tmp_path / "b.npz").touch()
    assert chosen_files(row, tmp_path) == FILES[1:]
    assert choose_source("d", row, "auto", tmp_path, True) == "original"


@pytest.mark.parametrize(
    ("wish", "row", "message"),
    [
        (
            "auto",
            {"originals": FILES},
            r"d is not there and has no twin; put .*a\.npz.* or download",
        ),
        ("twin", {"originals": FILES}, "d has no twin"),
        ("original", LICENSED, r"cannot be downloaded; put .*mine\.pth there$"),
        ("auto", LICENSED, r"put .*mine\.pth there$"),
    ],
)
def test_what_cannot_be_had_is_named(wish, row, message, tmp_path: Path):
    with pytest.raises(Problem, match=message):
        choose_source("d", row, wish, tmp_path, False)
