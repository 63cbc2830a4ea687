"""An audit as text for people, and as JSON for machines."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from latents.provenance.audit import FRESH, Audit, Node

SHOWN = 3  # artefacts of a group and reasons of an artefact, before the rest is only counted


def as_json(audit: Audit) -> dict[str, Any]:
    return {
        "target": audit.target,
        "fresh": audit.is_fresh,
        "remark": audit.remark,
        "totals": totals(audit),
        "nodes": [asdict(node) for node in audit.nodes.values()],
    }


def totals(audit: Audit) -> dict[str, Any]:
    """Return what the whole chain took; a job with several outputs counts once."""
    records = [node.record for node in audit.nodes.values() if node.record]
    jobs = list({(record["key"], record["started"]): record for record in records}.values())
    trained = [job for job in jobs if job["step"] == "train_model"]
    return {
        "artefacts": len(audit.nodes),
        "verdicts": dict(Counter(node.verdict for node in audit.nodes.values())),
        "models": len(trained),
        "seeds": len({job["job"]["values"]["seed"] for job in trained}),
        "steps": sum(job["job"]["values"]["budget"]["steps"] for job in trained),
        "gpu_hours": sum(j["seconds"] for j in jobs if j["environment"].get("gpu")) / 3600,
        "cpu_hours": sum(job["cpu_seconds"] for job in jobs) / 3600,
        "data": sorted({name for job in jobs for name in job["data"]}),
        "commits": sorted({str(job["code"]["commit"]) for job in jobs}),
        "uncommitted": sum(bool(record["code"]["changed"]) for record in records),
    }


def summary(audit: Audit) -> str:
    """Return one line: verdicts, and what the chain took."""
    of = totals(audit)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in of["verdicts"].items())
    commits = [commit[:7] for commit in of["commits"] if commit != "None"] or ["no known commit"]
    dirty = f" ({of['uncommitted']} with uncommitted changes)" if of["uncommitted"] else ""
    said = [
        f"{of['artefacts']} artefacts: {counts}",
        f"{_count(of['models'], 'model')}, {_count(of['seeds'], 'seed')}, {of['steps']:,} steps",
        f"{of['gpu_hours']:.2f} GPU-hours, {of['cpu_hours']:.2f} CPU-hours",
        f"made at {', '.join(commits)}{dirty}",
        f"data: {', '.join(of['data']) or 'none'}",
    ]
    return f"{audit.target}: " + "; ".join(said)


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def causes(audit: Audit) -> list[str]:
    """Yield where the chain ceases to be fresh: artefacts that are not, made from ones that are."""
    stale = [node for node in audit.nodes.values() if node.verdict != FRESH]
    paths = {node.path for node in stale}
    first = [node for node in stale if paths.isdisjoint(node.inputs)]
    said = [f"{node.path} is {node.verdict}: {_reason(node)}" for node in first[:SHOWN]]
    return said + ([f"and {len(first) - SHOWN} more"] if len(first) > SHOWN else [])


def tree(audit: Audit, *, every: bool = False) -> Iterator[str]:
    """Yield a line per artefact, or per group of artefacts with one step, verdict and reason."""
    yield from _branch(audit, [audit.target], "", set(), every)


def _branch(
    audit: Audit, paths: list[str], indent: str, seen: set[str], every: bool
) -> Iterator[str]:
    groups: dict[tuple[Any, ...], list[Node]] = {}
    for node in (audit.nodes[path] for path in paths if path not in seen):
        mark = node.path if every else (node.step, node.verdict, _reason(node))
        groups.setdefault((mark,), []).append(node)
        seen.add(node.path)
    for members in groups.values():
        yield from _lines(members, indent)
        below = sorted({name for node in members for name in node.inputs})
        yield from _branch(audit, below, indent + "  ", seen, every)


def _lines(members: list[Node], indent: str) -> Iterator[str]:
    first, more = members[0], len(members) - 1
    others = f" and {more} more" if more else ""
    dropped = ", dropped once used" if first.verdict == FRESH and first.digest is None else ""
    yield f"{first.verdict:9}{indent}{first.path}{others}  [{first.step}{dropped}]"
    if first.verdict != FRESH:
        yield f"{'':9}{indent}  why: {_reason(first)}"


def _reason(node: Node) -> str:
    shown, more = node.reasons[:SHOWN], len(node.reasons) - SHOWN
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")
