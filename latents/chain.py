"""The chain of an artefact as its records tell it: every job and every file, checked.

Needs the records beside the files and nothing else, so that a job can walk its own past.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latents.fingerprint import ROOT, file_hash
from latents.problem import Problem
from latents.record import digest, is_dropped, is_untouched, read_record

MADE_HERE = ("results/", "figures/")
Record = dict[str, Any]


@dataclass(frozen=True)
class Chain:
    """What was made, by which jobs, from what."""

    jobs: list[Record]  # each after those that made its inputs; that of the targets comes last
    files: dict[str, str]  # digests of all that they read and wrote, by path
    made: set[str]  # those that they wrote


def read_chain(targets: list[str]) -> Chain:
    """From files to their roots; refused where a file, a record or the code is another one."""
    jobs: dict[str, Record] = {}

    def visit(path: str) -> None:
        record = _record_of(path)
        if record and first_output(record) not in jobs:
            for name in sorted(record["inputs"]):
                visit(name)
            jobs[first_output(record)] = record

    for target in targets:
        visit(target)
    made = {path for job in jobs.values() for path in job["outputs"]}
    for path in made:
        _record_of(path)
    return Chain(list(jobs.values()), _digests(list(jobs.values())), made)


def first_output(job: Record) -> str:
    """What a job is known by: no two jobs write the same file."""
    return str(min(job["outputs"]))


def _record_of(path: str) -> Record | None:
    """None for a file that somebody brought along."""
    record = read_record(Path(path))
    if record is None and not path.startswith(MADE_HERE):
        return None
    if record is None or path not in record["outputs"]:
        raise Problem(f"nothing records how {path} was made; delete it and build it again")
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise Problem(f"{path} lies outside of the folder of its chain")
    if not is_untouched(record):
        raise Problem(f"the record of {path} was edited; delete the file and build it again")
    return record


def _digests(jobs: list[Record]) -> dict[str, str]:
    """Of every file, the one that all records agree on and that the file still has.

    What a job read besides its inputs may be gone, and what was dropped once it was used.
    """
    found: dict[str, str] = {}
    for job in jobs:
        _refuse_changed_code(job)
        for path, then in {**job["also_read"], **job["inputs"], **job["outputs"]}.items():
            if path not in found:
                besides = path in job["also_read"] and not Path(path).exists()
                gone = besides or is_dropped(Path(path))
                found[path] = then if gone else _digest(path)
            if found[path] != then:
                raise Problem(
                    f"{path} is not the file that the record of {first_output(job)} tells of; "
                    "restore it, or delete it and build it again"
                )
    return found


def _digest(path: str) -> str:
    if not Path(path).is_file():
        raise Problem(f"{path} is not there any more")
    return digest(Path(path))


def _refuse_changed_code(job: Record) -> None:
    for path, then in job["job"]["code"].items():
        if not (ROOT / path).is_file() or file_hash(path) != then:
            raise Problem(f"{path} was changed since {first_output(job)} was made")
