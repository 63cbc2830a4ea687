"""Edits and their true consequences, decided by reading: nothing missed, nothing spurious.

`edits.yaml` was written from the meaning of the code, before any of it was run. Labels name a step,
or a step with modules that its configuration names; `*` is every job.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from latents.runtime.record import read_record
from latents.workflow.differences import differences
from latents.workflow.dry_run import planned_jobs
from tests.unit.runtime.small_repository import forget_code
from tests.workflow.every_kind import Everything, Kind, files_of, kind_of, options

ROWS = yaml.safe_load(Path(__file__).with_name("edits.yaml").read_text())
# Edits that still rerun jobs whose bytes cannot change; every one says why in its row.
STILL_RERUN = 39
CRATES = {("export_crate", ())}
PLANNED = ("Snakefile", "Makefile", "rules/", "config/", "profiles/")
PLANNED += ("latents/workflow/", "latents/engine/")


def is_planned(row: dict) -> bool:
    """Whether an edit shows in a plan alone, not in the code that a job can reach."""
    return any(edit["file"].startswith(PLANNED) for edit in edits(row) if "file" in edit)


def edits(row: dict) -> Iterator[dict]:
    if "file" in row:
        yield row
    yield from row.get("also", [])


def apply(row: dict, root: Path) -> None:
    for edit in edits(row):
        if "rename" in edit:
            old, new = (root / name for name in edit["rename"])
            old.rename(new)
            continue
        path = root / edit["file"]
        text = path.read_text()
        assert text.count(edit["old"]) == 1, f"{row['id']}: {edit['old']!r} in {edit['file']}"
        path.write_text(text.replace(edit["old"], edit["new"]))


def labelled(labels: list[str], kinds: set[Kind]) -> set[Kind]:
    return {kind for kind in kinds for label in labels if fits(label, kind)}


def fits(label: str, kind: Kind) -> bool:
    step, _, words = label.partition(":")
    if label == "*":
        return True
    modules = [f"/{module}" for module in kind[1]]
    named = (any(m.endswith(f"/{word}") for m in modules) for word in words.split("+") if word)
    return step == kind[0] and all(named)


def test_there_are_enough_of_them():
    assert len(ROWS) >= 120
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert sum("reruns" in row for row in ROWS) <= STILL_RERUN


@pytest.mark.parametrize("row", [r for r in ROWS if not is_planned(r)], ids=lambda row: row["id"])
def test_edit_of_code(row, everything: Everything, tree):
    edited = {name for edit in edits(row) for name in edit.get("rename", [edit.get("file")])}
    reading = [kind for kind in everything.kinds if edited & files_of(kind)]
    before = everything.digests(reading)
    apply(row, tree)
    forget_code()
    after = everything.digests(reading)
    stale = {kind for kind in reading if before[kind] != after[kind]}
    judge(row, stale, everything)


@pytest.mark.parametrize("row", [r for r in ROWS if is_planned(r)], ids=lambda row: row["id"])
def test_edit_of_the_plan(row, everything: Everything, everything_else):
    """By a real plan of a copy of everything."""
    apply(row, everything_else.folder)
    targets = [str(job.outputs[0]) for job in everything.kinds.values()]
    jobs = planned_jobs(targets, options(), everything_else.folder, everything_else.folder)
    named = {job.outputs[0]: kind for kind, job in everything.kinds.items()}
    stale = {
        named.get(job.outputs[0]) or kind_of(job)
        for job in jobs
        if (record := read_record(everything_else.folder / job.outputs[0]))  # else it is new
        and differences(record, job.step)
    }
    judge(row, stale & set(everything.kinds), everything)


def judge(row: dict, stale: set[Kind], everything: Everything) -> None:
    """Compare with the truth; crates, which hold all sources, are not asked about.

    What follows from the truth by changed inputs reruns anyway.
    """
    expected = labelled(row["stale"], set(everything.kinds)) - CRATES
    assert expected - stale == set(), f"missed: {row['why']}"
    anyway = everything.with_followers(expected)
    spurious = stale - CRATES - anyway
    if "reruns" in row:
        assert spurious, "it is rerun no longer: take that from the row"
    else:
        assert spurious == set(), f"spurious: {row['why']}"
