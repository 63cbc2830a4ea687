"""Which jobs are made again, and how what came out is judged; no workflow is run."""

import os
from pathlib import Path

import pytest

from latents.provenance.chain import Chain
from latents.provenance.comparison import DIVERGES, IDENTICAL, WITHIN
from latents.provenance.verification import choose_sample, compare_all, link, own_files
from latents.runtime.errors import Problem

NUMBERS = "x\n1\n2\n"
CLOSE = "x\n1\n2.001\n"
FAR = "x\n1\n3\n"


def job(step: str, inputs: list[str], outputs: list[str]) -> dict:
    return {
        "step": step,
        "inputs": dict.fromkeys(inputs, ""),
        "outputs": dict.fromkeys(outputs, ""),
    }


TRAIN = job("train_model", [], ["h.csv"])
SCORE = job("score_metric", ["h.csv"], ["s.csv"])
DRAW = job("draw_figure", ["s.csv"], ["f.csv", "f.pdf"])
STEPS = Chain("f.pdf", [TRAIN, SCORE, DRAW]).steps()


def test_a_step_stands_after_all_that_any_of_its_jobs_rests_on():
    jobs = [job("b", [], ["1"]), job("a", ["1"], ["2"]), job("b", ["2"], ["3"])]
    assert list(Chain("3", jobs).steps()) == ["a", "b"]


def test_a_sample_is_of_every_step_and_another_seed_is_another_sample():
    jobs = [job("train_model", [], [f"{number}.csv"]) for number in range(50)]
    steps = {"train_model": jobs, "draw_figure": [DRAW]}
    chosen = [choose_sample(steps, 3, seed) for seed in (0, 0, 1)]
    assert chosen[0] == chosen[1] != chosen[2]
    assert [len(some) for some in chosen[0].values()] == [3, 1]


@pytest.fixture
def judged(tmp_path: Path):
    """Verdicts by path, of files whose recorded content is NUMBERS and `picture`."""

    def judge(rebuilt: dict[str, str], *, sampled: bool = False) -> dict[str, str]:
        recorded = dict.fromkeys(("h.csv", "s.csv", "f.csv"), NUMBERS) | {"f.pdf": "picture"}
        for name, files in (("tree", recorded), ("scratch", recorded | rebuilt)):
            (tmp_path / name).mkdir()
            for path, text in files.items():
                (tmp_path / name / path).write_text(text)
        found = compare_all(STEPS, tmp_path / "tree", tmp_path / "scratch", sampled=sampled)
        return {one.path: one.agreement.verdict for one in found}

    return judge


def test_trainings_may_differ_more_than_tables(judged):
    found = judged({"h.csv": CLOSE, "s.csv": CLOSE}, sampled=True)
    assert (found["h.csv"], found["s.csv"]) == (WITHIN, DIVERGES)


def test_what_is_made_from_what_agrees_may_differ_as_much(judged):
    found = judged({"h.csv": CLOSE, "s.csv": CLOSE, "f.csv": CLOSE, "f.pdf": "another"})
    assert set(found.values()) == {WITHIN}


def test_divergence_is_reported_from_where_it_begins(judged):
    found = judged({"s.csv": FAR, "f.csv": FAR, "f.pdf": "another"})
    expected = {"h.csv": IDENTICAL, "s.csv": DIVERGES, "f.csv": DIVERGES, "f.pdf": DIVERGES}
    assert list(found.items()) == list(expected.items())


def test_another_picture_of_the_same_numbers_diverges(judged):
    assert judged({"f.pdf": "another"})["f.pdf"] == DIVERGES


def test_a_picture_of_the_same_numbers_may_have_another_identifier(judged, monkeypatch):
    monkeypatch.setattr("latents.provenance.comparison._without_identifier", lambda path: b"")
    assert judged({"f.pdf": "another"})["f.pdf"] == WITHIN


def test_what_is_not_made_again_diverges(judged, monkeypatch):
    monkeypatch.setattr(Path, "is_file", lambda path: "scratch" not in path.parts)
    assert set(judged({}).values()) == {DIVERGES}


def test_own_files_and_all_in_the_data_folder_are_at_hand(tmp_path):
    (tmp_path / "data/pictures").mkdir(parents=True)
    for name in ("mine.npz", "data/own.csv", "data/pictures/1.png", "other.npz"):
        (tmp_path / name).touch()
    prepared = {"settings": {"folder": "data"}}
    given = {"mine.npz": "", "data/own.csv": "", str(tmp_path / "other.npz"): ""}
    names = {"mine.npz", "data/own.csv", "data/pictures/1.png"}
    assert set(own_files(Chain("t", [prepared], given), tmp_path)) == {Path(n) for n in names}


@pytest.mark.parametrize(("name", "said"), [("gone.npz", "is not there"), ("../o", "lies outside")])
def test_own_files_that_cannot_be_had(name, said, tmp_path):
    (tmp_path / "o").touch()
    (tmp_path / "tree").mkdir()
    with pytest.raises(Problem, match=said):
        list(own_files(Chain("t", [], {name: ""}), tmp_path / "tree"))


def test_files_are_linked_or_copied_with_their_times(tmp_path, monkeypatch):
    tree = tmp_path / "tree"
    (tree / "results").mkdir(parents=True)
    (tree / "results/a").write_text("a")
    os.utime(tree / "results/a", (1e9, 1e9))
    link([Path("results/a")], tree, tmp_path / "one")
    monkeypatch.setattr(
        "latents.provenance.verification.os.link", lambda *_: exec("raise OSError(18)")
    )
    link([Path("results/a")], tree, tmp_path / "two")
    assert (tmp_path / "one/results/a").samefile(tree / "results/a")
    assert not (tmp_path / "two/results/a").samefile(tree / "results/a")
    assert (tmp_path / "two/results/a").stat().st_mtime == 1e9
