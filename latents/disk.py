"""What each kind of artefact takes on the disk, now and at a scale that was not built yet.

Sizes are measured on the artefacts that are there. For another scale they are extrapolated: a size
is taken to be proportional to what decides it (parameters of a model, examples of a representation,
runs of a table), with the number of files of each kind from Snakemake's own plan.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from latents.plan import Planned
from latents.record import SUFFIX, all_records
from latents.vae import build_vae

RECORDS = "records"
SHARED = ("datasets", "originals", "own", "logs")  # folders of results/ that belong to no scale
IMAGE = (1, 64, 64)


@dataclass
class Amount:
    """Files of one kind."""

    files: int = 0
    bytes: float = 0.0


@dataclass
class Expected(Amount):
    extrapolated: bool = False
    unknown: int = 0  # files of whose size nothing is known


@dataclass(frozen=True)
class Measured:
    """Bytes per unit of weight, of one kind at one scale."""

    bytes: float
    weight: float


def kind_of(path: Path) -> str:
    """`models/model.safetensors`, `scores`, `datasets/dsprites.h5`: what is alike in size."""
    if path.name.endswith(SUFFIX):
        return RECORDS
    parts = path.parts[1:] if path.parts[0] == "results" else path.parts
    if len(parts) > 1 and parts[0] not in (*SHARED, "figures"):
        parts = parts[1:]  # the scale
    if parts[0] in ("models", "datasets"):
        return f"{parts[0]}/{path.name}"
    return f"{parts[0]}/*{path.suffix}" if parts[0] == "figures" else parts[0]


def weight(path: Path, values: dict[str, Any]) -> float:
    """What the size of an artefact is proportional to, from its job's values; 1 where it is not."""
    if path.name == "model.safetensors":
        return float(_parameters(**values["network"]))
    if path.name == "snapshots.csv":
        return len(values["snapshots_of"]["steps"])
    if "training_examples" in values:  # one split per number, and pairs and votes from the largest
        sizes, tested = values["training_examples"], values["test_examples"]
        return float(sum(sizes) + len(sizes) * tested + max(sizes) + tested)
    if isinstance(runs := values.get("runs"), dict):  # a table with rows of every run
        return float(len(runs["strengths"]) * runs["seeds"])
    return float(values.get("examples", 1)) if kind_of(path) == "representations" else 1.0


def _parameters(**network: Any) -> int:
    with torch.device("meta"):
        model = build_vae(image_shape=IMAGE, **network)
    return sum(tensor.numel() for tensor in model.state_dict().values())


def used(folder: Path) -> dict[str, Amount]:
    """What is there now, of all scales."""
    found: dict[str, Amount] = defaultdict(Amount)
    for place in ("results", "figures"):
        for path in (folder / place).rglob("*"):
            if path.is_file():
                amount = found[kind_of(path.relative_to(folder))]
                amount.files += 1
                amount.bytes += path.stat().st_size
    return found


def measure(folder: Path) -> dict[tuple[str, str], Measured]:
    """By kind and scale, from every artefact with a record."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for path, record in all_records(folder):
        for file, size in _sizes(folder / path):
            kind = kind_of(file.relative_to(folder))
            heavy = 1.0 if kind == RECORDS else weight(path, record["job"]["values"])
            found[kind, scale_of(path)].append((size, heavy))
    return {
        key: Measured(sum(size for size, _ in pairs), sum(heavy for _, heavy in pairs))
        for key, pairs in found.items()
    }


def _sizes(artefact: Path) -> Iterator[tuple[Path, int]]:
    """Of an artefact, where it was not dropped, and of its record."""
    for path in (artefact, artefact.with_name(artefact.name + SUFFIX)):
        if path.is_file():
            yield path, path.stat().st_size


def scale_of(path: Path) -> str:
    """`results/laptop/...` is of the laptop scale; what all scales share is of none."""
    shared = path.parts[0] != "results" or path.parts[1] in SHARED or len(path.parts) < 3
    return "" if shared else path.parts[1]


def expect(
    jobs: Iterable[Planned], measured: dict[tuple[str, str], Measured]
) -> dict[str, Expected]:
    """What the outputs of jobs would take, with their records."""
    expected: dict[str, Expected] = defaultdict(Expected)
    for job in jobs:
        for path in job.outputs:
            values = job.step.job["values"]
            _add(expected, kind_of(path), scale_of(path), weight(path, values), measured)
            _add(expected, RECORDS, scale_of(path), 1.0, measured)
    return expected


def _add(
    expected: dict[str, Expected],
    kind: str,
    scale: str,
    heavy: float,
    measured: dict[tuple[str, str], Measured],
) -> None:
    """One more file, by the sizes of its own scale or else of all others together."""
    amount = expected[kind]
    amount.files += 1
    own = measured.get((kind, scale))
    known = [own] if own else [m for (name, _), m in measured.items() if name == kind]
    if not known:
        amount.unknown += 1
        return
    amount.extrapolated |= own is None
    amount.bytes += heavy * sum(m.bytes for m in known) / sum(m.weight for m in known)
