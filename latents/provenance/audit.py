"""Audits: whether artefacts are what their records say, and what the present tree would make.

An audit walks from an artefact to its roots, hashes every file, and computes every job's values
from the present code and configuration. It needs the files and their records and nothing else:
neither `.snakemake/` nor a network.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from latents.runtime.errors import Problem
from latents.runtime.fingerprint import fingerprint
from latents.runtime.identifier import read_identifier
from latents.runtime.record import (
    all_records,
    canonical,
    digest,
    is_dropped,
    is_untouched,
    read_record,
)
from latents.workflow.differences import code_changes, differences
from latents.workflow.dry_run import Planned, config_options, planned_jobs

FRESH, STALE, TAMPERED, MISSING, UNKNOWN = "fresh", "stale", "tampered", "missing", "unknown"
GIVEN = "given"  # the step of a file that nothing here makes
Record = dict[str, Any]


@dataclass(frozen=True)
class Node:
    """One artefact of a chain, and its verdict."""

    path: str
    step: str
    verdict: str
    reasons: list[str]  # why it is not fresh
    digest: str | None
    inputs: list[str]
    log: str | None
    record: Record | None


@dataclass(frozen=True)
class Audit:
    """A chain: every node after those that it was made from, the target last."""

    target: str
    nodes: dict[str, Node]
    remark: str = ""  # what could not be looked at, and why

    @property
    def state(self) -> str:
        """The target's verdict, which holds for the chain: nothing fresh depends on what is not."""
        verdict = self.nodes[self.target].verdict
        return f"{verdict}, parameters not compared" if self.remark else verdict

    @property
    def is_fresh(self) -> bool:
        return not self.remark and all(n.verdict == FRESH for n in self.nodes.values())


@dataclass
class _Walk:
    folder: Path
    plan: dict[str, Planned] | None  # by output; None where no plan could be made
    nodes: dict[str, Node] = field(default_factory=dict)

    def visit(self, path: str) -> None:
        if path in self.nodes:
            return
        planned = self.plan.get(path) if self.plan else None
        record = read_record(self.folder / path)
        known = record["inputs"] if record and path in record["outputs"] else {}
        inputs = sorted({*known, *(str(p) for p in (planned.inputs if planned else []))})
        for name in inputs:
            self.visit(name)
        found = digest(self.folder / path) if (self.folder / path).is_file() else None
        verdict, reasons = self.judge(path, found, record, planned)
        step = record["step"] if record else planned.step.name if planned else GIVEN
        log = str(planned.log) if planned else None
        self.nodes[path] = Node(path, step, verdict, reasons, found, inputs, log, record)

    def chain(self, path: str) -> dict[str, Node]:
        """Visit an artefact after all that it was made from."""
        chain: dict[str, Node] = {}
        for name in self.nodes[path].inputs:
            chain |= self.chain(name)
        return {**chain, path: self.nodes[path]}

    def judge(
        self, path: str, found: str | None, record: Record | None, planned: Planned | None
    ) -> tuple[str, list[str]]:
        if found is None and not is_dropped(self.folder / path):
            return MISSING, ["the file is not there"]
        if record is None:
            made = planned is not None
            return (UNKNOWN, ["nothing records how it was made"]) if made else (FRESH, [])
        if tampering := _tampering(path, record, found):
            return TAMPERED, [tampering]
        if planned is None and self.plan is not None:
            return STALE, ["no rule makes it any more"]
        reasons = [*_changes(record, planned), *self.upstream(record, planned)]
        return (STALE if reasons else FRESH), reasons

    def upstream(self, record: Record, planned: Planned | None) -> Iterator[str]:
        """Return inputs that were added, dropped or exchanged, and those that are not fresh."""
        known = record["inputs"]
        wanted = known if planned is None else {str(path) for path in planned.inputs}
        for name in sorted({*known, *wanted}):
            node = self.nodes[name]
            if name not in known:
                yield f"{name} is a new input"
            elif name not in wanted:
                yield f"{name} is no input any more"
            elif node.digest not in (None, known[name]):
                yield f"{name} is not the file it was made from"
            elif node.verdict != FRESH:
                yield f"{name} is {node.verdict}"
        for name, then in record["also_read"].items():
            if (self.folder / name).is_file() and digest(self.folder / name) != then:
                yield f"{name} is not the file it was made from"


def _changes(record: Record, planned: Planned | None) -> list[str]:
    """Return changes of code and parameters; of code alone if no plan could be made."""
    if planned is not None:
        return differences(record, planned.step)
    modules = record["job"].get("modules", [])
    return code_changes(record, fingerprint(record["step"], tuple(modules)).digest, modules)


def _tampering(path: str, record: Record, found: str | None) -> str:
    """Return what is wrong with a file and its record, if anything; dropped files have no bytes."""
    if path not in record["outputs"]:
        return "its record is that of another file"
    if found not in (None, record["outputs"][path]):
        return "its bytes are not those that were written"
    return "" if is_untouched(record) else "its record was edited"


def audit(target: Path, folder: Path) -> Audit:
    """Audit the chain of a file of the tree, or of a copy of one of its files."""
    path = locate(target, folder)
    return audit_together([path], folder)[path]


def audit_together(paths: list[str], folder: Path) -> dict[str, Audit]:
    """Audit many chains; one configuration shares one plan, and each file is hashed once."""
    audits = {}
    for configuration, group in _by_configuration(paths, folder).items():
        plan, remark = _plan(group, json.loads(configuration), folder)
        walk = _Walk(folder, plan)
        for path in group:
            walk.visit(path)
            audits[path] = Audit(path, walk.chain(path), remark)
    return audits


def _by_configuration(paths: list[str], folder: Path) -> dict[str, list[str]]:
    """Return paths by what the user had set when they were made; empty without a record."""
    groups: dict[str, list[str]] = {}
    for path in paths:
        record = read_record(folder / path)
        groups.setdefault(canonical(record["configuration"] if record else {}), []).append(path)
    return groups


def _plan(
    paths: list[str], configuration: dict[str, Any], folder: Path
) -> tuple[dict[str, Planned] | None, str]:
    """Return the jobs of the present tree by output, or None and why there is no plan."""
    options = ["--forceall", *config_options(configuration)]
    try:
        jobs = planned_jobs(paths, options, folder)
    except Problem as problem:
        return None, f"parameters were not compared, because no plan could be made: {problem}"
    return {str(path): job for job in jobs for path in job.outputs}, ""


def locate(target: Path, folder: Path) -> str:
    """Return the path of an artefact in the tree, or of the file with the same bytes."""
    whole, root = target.resolve(), folder.resolve()
    inside = str(whole.relative_to(root)) if whole.is_relative_to(root) else None
    if inside and (read_record(whole) or not whole.exists()):
        return inside
    if not whole.is_file():
        raise Problem(f"{target} is not there")
    found, carried = digest(whole), read_identifier(whole)
    carrier = None
    for artefact, record in all_records(folder):
        for path, written in record["outputs"].items():
            if written == found and Path(path).parent == artefact.parent:
                return str(path)
        if record["identifier"] == carried:
            carrier = carrier or artefact
    if inside:
        return inside
    hint = f", although it carries the identifier of {carrier}: it was changed" if carrier else ""
    raise Problem(f"{target}: no artefact of this tree has these bytes{hint}")
