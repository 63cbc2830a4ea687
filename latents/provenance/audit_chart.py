"""Layout of an audit's chain: boxes of related artefacts in columns, and their links."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from latents.provenance.audit import GIVEN, Audit
from latents.workflow.measurements import subject_of

# The stage of a step, by its verb; whatever computes from representations is in between.
STAGES = {
    "Data": ("prepare", "obtain", GIVEN),
    "Models": ("train",),
    "Representations": ("encode",),
}
STAGES |= {"Scores and tables": (), "Figures": ("draw", "publish")}
OTHERS = "Scores and tables"
MOST_SINGLES = 8  # boxes of one artefact that a step may have before they share one


@dataclass(frozen=True)
class Box:
    """Artefacts of one step and one subject (a cell, a dataset, a figure)."""

    step: str
    subject: str
    column: int
    nodes: list[str]


@dataclass(frozen=True)
class Chart:
    """Boxes, the stage of each column from left to right, and pairs of linked boxes."""

    boxes: list[Box]
    stages: list[str]
    links: list[tuple[int, int]]


def chart(audit: Audit) -> Chart:
    """Return the layout: a column holds one stage, and all that it needs lies further left."""
    grouped = _grouped(audit)
    depths = _depths(audit)
    order = list(STAGES)
    places = {
        mark: (order.index(_stage(mark[0])), max(depths[path] for path in paths))
        for mark, paths in grouped.items()
    }
    columns = sorted(set(places.values()))
    boxes = [
        Box(*mark, columns.index(places[mark]), sorted(paths, key=_natural))
        for mark, paths in grouped.items()
    ]
    return Chart(boxes, [order[stage] for stage, _ in columns], _links(audit, boxes))


def _grouped(audit: Audit) -> dict[tuple[str, str], list[str]]:
    """Return paths by step and subject; many subjects with one artefact each form one group."""
    marks = {path: (node.step, subject_of(Path(path))) for path, node in audit.nodes.items()}
    sizes = Counter(marks.values())
    singles = Counter(step for (step, _), size in sizes.items() if size == 1)
    grouped: dict[tuple[str, str], list[str]] = {}
    for path, (step, subject) in marks.items():
        crowded = sizes[step, subject] == 1 and singles[step] > MOST_SINGLES
        mark = (step, "several subjects" if crowded else subject)
        grouped.setdefault(mark, []).append(path)
    return grouped


def _depths(audit: Audit) -> dict[str, int]:
    """Return the number of steps between each artefact and its farthest root."""
    depths: dict[str, int] = {}
    for path, node in audit.nodes.items():  # inputs come first
        depths[path] = 1 + max((depths[name] for name in node.inputs), default=-1)
    return depths


def _stage(step: str) -> str:
    verb = step.split("_")[0]
    return next((stage for stage, verbs in STAGES.items() if verb in verbs), OTHERS)


def _links(audit: Audit, boxes: list[Box]) -> list[tuple[int, int]]:
    box_of = {path: place for place, box in enumerate(boxes) for path in box.nodes}
    pairs = {
        (box_of[name], box_of[path]) for path, node in audit.nodes.items() for name in node.inputs
    }
    return sorted(pair for pair in pairs if pair[0] != pair[1])


def _natural(path: str) -> list[tuple[int, str]]:
    """Return a sorting key that puts `seed_10` after `seed_9`."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path)]
