"""The chain of a target, from its records: its jobs, and files that no job here made."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from latents.runtime.errors import Problem
from latents.runtime.fingerprint import fingerprint
from latents.runtime.record import digest, find_record, is_dropped, is_untouched
from latents.workflow.differences import code_changes

Record = dict[str, Any]
PLACES = ("results", "figures")  # where the workflow writes


@dataclass(frozen=True)
class Chain:
    """Jobs by their records, each after those whose outputs it reads; the target's is the last."""

    target: str
    jobs: list[Record] = field(default_factory=list)
    given: dict[str, str] = field(default_factory=dict)  # the user's own files, by digest

    @property
    def configuration(self) -> dict[str, Any]:
        """What the user had set when the target was made."""
        configuration: dict[str, Any] = self.jobs[-1]["configuration"]
        return configuration

    def outputs(self) -> Iterator[tuple[str, str]]:
        """Path and digest of every artefact, including siblings of the requested ones."""
        for job in self.jobs:
            yield from sorted(job["outputs"].items())

    def steps(self) -> dict[str, list[Record]]:
        """Return jobs by step; a step stands after all those that any of its jobs depends on."""
        depth: dict[str, int] = {}
        for job in self.jobs:
            below = 1 + max((depth[name] for name in job["inputs"] if name in depth), default=0)
            depth.update(dict.fromkeys(job["outputs"], below))
        deepest: dict[str, int] = {}
        for job in self.jobs:
            known = deepest.get(job["step"], 0)
            deepest[job["step"]] = max(known, depth[first_output(job)])
        names = sorted(deepest, key=lambda step: (deepest[step], step))
        return {name: [job for job in self.jobs if job["step"] == name] for name in names}


def first_output(job: Record) -> str:
    """Return what a job is known by: no two jobs write the same file."""
    return str(min(job["outputs"]))


def record_file(job: Record, folder: Path = Path()) -> str:
    """Return the path of a job's record, from the folder in which it ran."""
    found = find_record(folder / first_output(job))
    if found is None:
        raise Problem(f"the record of {first_output(job)} is not there any more")
    return str(found.relative_to(folder))


def read_chain(target: str, record_of: Callable[[str], Record | None]) -> Chain:
    """Walk from the target to its roots; refuse a chain that does not hold together."""
    chain = Chain(target)
    made: dict[str, str] = {}

    def visit(path: str) -> None:
        if path in made:
            return
        record = _checked(path, record_of)
        made.update(record["outputs"])
        for name, found in sorted(record["inputs"].items()):
            if PurePosixPath(name).parts[0] not in PLACES:
                chain.given[name] = found
                continue
            visit(name)
            if made[name] != found:
                raise Problem(f"{path} was made from another {name} than the one that is there")
        chain.given.update(record["also_read"])
        chain.jobs.append(record)

    visit(target)
    return chain


def _checked(path: str, record_of: Callable[[str], Record | None]) -> Record:
    """Return the record of an artefact, which must be that of its siblings too."""
    record = record_of(path)
    if record is None or path not in record["outputs"]:
        raise Problem(f"nothing records how {path} was made")
    if not is_untouched(record):
        raise Problem(f"the record of {path} was edited")
    for sibling in record["outputs"]:
        if PurePosixPath(sibling).is_absolute() or ".." in PurePosixPath(sibling).parts:
            raise Problem(f"{sibling} lies outside of the folder of its chain")
        if record_of(sibling) != record:
            raise Problem(f"{path} and {sibling} were not made by the same job")
    return record


def present_files(chain: Chain) -> dict[str, str]:
    """Return the digest of every file of a chain; refuse files or code that changed since.

    Further files that a job read may be missing, and so may dropped files.
    """
    found: dict[str, str] = {}
    for job in chain.jobs:
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
    modules = job["job"]["modules"]
    digest = fingerprint(job["step"], tuple(modules)).digest
    for change in code_changes(job, digest, modules)[:1]:
        raise Problem(f"{change} since {first_output(job)} was made")
