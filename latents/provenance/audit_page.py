"""An audit as one self-contained HTML file: no server, no network, no fonts.

Style, script and data are inside. Values that occur in many records (environments, fingerprints)
are stored once, so that the page of a figure with hundreds of trainings stays at a few megabytes.
"""

import csv
import html
import json
import math
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from latents.provenance.audit import FRESH, Audit, Node
from latents.provenance.audit_chart import chart
from latents.provenance.audit_text import summary, totals
from latents.provenance.unit_sources import present_unit
from latents.runtime.atomic_files import replacing
from latents.runtime.environment import describe_code
from latents.runtime.errors import Problem
from latents.runtime.record import digest

PARTS = Path(__file__).parent / "pages" / "audit"
SCRIPTS = ("blocks", "head", "graph", "filters", "panel", "curve", "start")  # in this order
CURVE_POINTS = 200
LOG_LINES, LOG_CHARACTERS = 40, 4000  # the last ones, whichever are fewer
SHORT = 24  # text that takes less room than a reference to it


@dataclass
class Shared:
    """Values that are stored once, each referred to by its index.

    Every object becomes a reference `{"@": index}`, so that a reference is never mistaken for an
    object that happens to look like one; lists and texts only where they are long.
    """

    values: list[Any] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    def put(self, value: Any) -> Any:
        if isinstance(value, dict):
            return self._reference({key: self.put(item) for key, item in value.items()})
        if isinstance(value, list):
            value = [self.put(item) for item in value]
        if isinstance(value, float) and not math.isfinite(value):
            return str(value)  # JSON knows no such number
        return self._reference(value) if len(json.dumps(value)) > SHORT else value

    def _reference(self, value: Any) -> dict[str, int]:
        place = self.places.setdefault(json.dumps(value), len(self.values))
        if place == len(self.values):
            self.values.append(value)
        return {"@": place}


def write_page(path: Path, audit: Audit, folder: Path) -> None:
    """Write the page of an audit; logs and loss histories are read from the audited folder."""
    try:
        with replacing(path) as temporary:
            temporary.write_text(page(audit, folder), encoding="utf-8")
    except OSError as error:
        raise Problem(f"cannot write {path} ({error.strerror})") from error


def page(audit: Audit, folder: Path) -> str:
    # No "<" in the data: a log that holds "</script>" stays a text.
    data = json.dumps(page_data(audit, folder), separators=(",", ":")).replace("<", "\\u003c")
    parts = {
        "target": html.escape(audit.target),
        "summary": html.escape(summary(audit)),
        "when": html.escape(_when()),
        "style": _part("style.css"),
        "script": "\n".join(_part(f"{name}.js") for name in SCRIPTS),
        "data": data,
    }
    return re.sub(r"{{(\w+)}}", lambda name: parts[name[1]], _part("page.html"))


def _part(name: str) -> str:
    return (PARTS / name).read_text(encoding="utf-8")


def page_data(audit: Audit, folder: Path) -> dict[str, Any]:
    """Return all that the page shows; artefacts are referred to by their index in `nodes`."""
    place = {path: number for number, path in enumerate(audit.nodes)}
    drawn, shared = chart(audit), Shared()
    return {
        "target": place[audit.target],
        "remark": audit.remark,
        "totals": totals(audit),
        "nodes": [_node(node, place, folder, shared) for node in audit.nodes.values()],
        "boxes": [{**asdict(b), "nodes": [place[path] for path in b.nodes]} for b in drawn.boxes],
        "stages": drawn.stages,
        "links": drawn.links,
        "troubles": [{**t, "nodes": [place[p] for p in t["nodes"]]} for t in troubles(audit)],
        "units": present_units(audit),
        "shared": shared.values,
    }


def present_units(audit: Audit) -> dict[str, dict[str, dict[str, str]]]:
    """Return the present code of every unit that a record names, once for all artefacts."""
    records = [node.record for node in audit.nodes.values() if node.record]
    named = {(p, n) for r in records for p, names in r.get("units", {}).items() for n in names}
    units: dict[str, dict[str, dict[str, str]]] = {}
    for path, name in sorted(named):
        if found := present_unit(path, name):
            units.setdefault(path, {})[name] = found
    return units


def _node(node: Node, place: dict[str, int], folder: Path, shared: Shared) -> dict[str, Any]:
    return {
        **{key: getattr(node, key) for key in ("path", "step", "verdict", "reasons", "digest")},
        "inputs": [place[name] for name in node.inputs],
        "log": node.log,
        "lines": shared.put(_last_lines(folder / node.log)) if node.log else "",
        "curve": shared.put(_curve(node, folder)),
        "record": shared.put(node.record),
    }


def troubles(audit: Audit) -> list[dict[str, Any]]:
    """Return what is not fresh, by step, verdict and reason: causes first, then consequences."""
    found: dict[tuple[Any, ...], list[str]] = {}
    for node in audit.nodes.values():
        if node.verdict != FRESH:
            inherited = {f"{name} is {audit.nodes[name].verdict}" for name in node.inputs}
            own = tuple(reason for reason in node.reasons if reason not in inherited)
            mark = (not own, node.verdict, node.step if own else "", own)
            found.setdefault(mark, []).append(node.path)
    keys = ("follows", "verdict", "step", "reasons")
    listed = [{**dict(zip(keys, mark, strict=True)), "nodes": n} for mark, n in found.items()]
    return sorted(listed, key=lambda trouble: bool(trouble["follows"]))


def _last_lines(log: Path) -> str:
    try:
        text = log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-LOG_LINES:])[-LOG_CHARACTERS:]


def _curve(node: Node, folder: Path) -> dict[str, list[float]] | str | None:
    """Return steps and losses of a training, or a sentence if the history is another model's."""
    if node.step != "train_model" or node.record is None:
        return None
    name = str(Path(node.path).with_name("history.csv"))
    written = node.record["outputs"].get(name)
    try:
        if digest(folder / name) != written:
            return f"{name} is not the file that this training wrote, so it is not drawn."
        points = list(_points(folder / name))
    except (OSError, ValueError, KeyError):
        return f"{name} cannot be read, so there is no curve."
    kept = _spread(points)
    return {"steps": [step for step, _ in kept], "losses": [loss for _, loss in kept]}


def _points(history: Path) -> Iterator[tuple[int, float]]:
    with history.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if math.isfinite(loss := float(row["loss"])):
                yield int(row["step"]), float(f"{loss:.5g}")


def _spread(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return at most `CURVE_POINTS` items, evenly spaced, including the first and the last."""
    last, gaps = len(points) - 1, CURVE_POINTS - 1
    return points if last <= gaps else [points[round(i * last / gaps)] for i in range(gaps + 1)]


def _when() -> str:
    """Return when and against which code the audit was made."""
    code = describe_code()
    changed = f" and {len(code['changed'])} changed files" if code["changed"] else ""
    commit = (
        f"commit {code['commit'][:7]}{changed}" if code["commit"] else "code of no known commit"
    )
    return f"Audited on {datetime.now(UTC):%Y-%m-%d at %H:%M} UTC, compared with {commit}."
