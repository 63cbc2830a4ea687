"""What a target rests on, as the records tell it: its jobs, and files that nothing here made."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from latents.problem import Problem
from latents.record import is_untouched

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
        """Path and digest of every artefact, those that a job made beside the asked for too."""
        for job in self.jobs:
            yield from sorted(job["outputs"].items())

    def steps(self) -> dict[str, list[Record]]:
        """Jobs by step; a step stands after all those that any of its jobs rests on."""
        depth: dict[str, int] = {}
        for job in self.jobs:
            below = 1 + max((depth[name] for name in job["inputs"] if name in depth), default=0)
            depth.update(dict.fromkeys(job["outputs"], below))
        deepest: dict[str, int] = {}
        for job in self.jobs:
            known = deepest.get(job["step"], 0)
            deepest[job["step"]] = max(known, depth[min(job["outputs"])])
        names = sorted(deepest, key=lambda step: (deepest[step], step))
        return {name: [job for job in self.jobs if job["step"] == name] for name in names}


def read_chain(target: str, record_of: Callable[[str], Record | None]) -> Chain:
    """Walk from the target to its roots; a chain that does not hold together is refused."""
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
    """The record of an artefact, which its siblings' records must agree with."""
    record = record_of(path)
    if record is None or path not in record["outputs"]:
        raise Problem(f"nothing records how {path} was made")
    for sibling in record["outputs"]:
        other = record_of(sibling)
        if other is None:
            raise Problem(f"{sibling}, which was made together with {path}, has no record")
        if not is_untouched(other):
            raise Problem(f"the record of {sibling} was edited")
        if (other["key"], other["outputs"]) != (record["key"], record["outputs"]):
            raise Problem(f"{path} and {sibling} were not made by the same job")
    return record
