"""What earlier jobs took, from the records beside their artefacts."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latents.record import all_records, record_path


@dataclass(frozen=True)
class Measured:
    """One job that ran: what it was, and its cost."""

    step: str
    kind: str  # of its outputs: models, scores
    scale: str
    subject: str  # cell, dataset or figure
    values: dict[str, Any]
    seconds: float
    cpu_seconds: float
    on_gpu: bool
    size: int  # bytes of its outputs and their records; 0 where they were dropped


def measurements(folder: Path) -> list[Measured]:
    """Every job with a record in a folder; one with several outputs counts once."""
    found = {}
    for artefact, record in all_records(folder):
        mark = (record["key"], record["started"])
        if mark not in found:
            found[mark] = Measured(
                step=record["step"],
                kind=kind_of(artefact),
                scale=scale_of(artefact),
                subject=subject_of(artefact),
                values=record["job"]["values"],
                seconds=record["seconds"],
                cpu_seconds=record["cpu_seconds"],
                on_gpu=bool(record["environment"].get("gpu")),
                size=size_of(folder, map(Path, record["outputs"])),
            )
    return list(found.values())


def size_of(folder: Path, outputs: Iterable[Path]) -> int:
    """Bytes that are there of a job's outputs and their records; 0 where an output is not."""
    files = [folder / name for output in outputs for name in (output, record_path(output))]
    return sum(file.stat().st_size for file in files) if all(f.is_file() for f in files) else 0


def scale_of(artefact: Path) -> str:
    """`results/laptop/models/...` is of the laptop scale; what all scales share is of none."""
    return artefact.parts[1] if _has_scale(artefact) else ""


def kind_of(artefact: Path) -> str:
    """`models`, `scores`: the folder of an artefact; one step may write to several."""
    return artefact.parts[2 if _has_scale(artefact) else 0]


def _has_scale(artefact: Path) -> bool:
    return artefact.parts[0] == "results" and len(artefact.parts) > 3


def subject_of(output: Path) -> str:
    """Cell, dataset or figure that an output belongs to: `results/<scale>/<kind>/<subject>...`."""
    return Path(output.parts[3]).stem if len(output.parts) > 3 else output.stem
