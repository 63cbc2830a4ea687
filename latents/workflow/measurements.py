"""Cost of earlier jobs, from their records."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latents.runtime.record import all_records, find_record


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
    size: int  # bytes of its outputs and its record; 0 where they were dropped


def measurements(folder: Path) -> list[Measured]:
    """Return every job with a record in a folder."""
    return [
        Measured(
            step=record["step"],
            kind=kind_of(artefact),
            scale=scale_of(artefact),
            subject=subject_of(artefact),
            values=record["job"]["values"],
            seconds=record["seconds"],
            cpu_seconds=record["cpu_seconds"],
            on_gpu=bool(record["environment"].get("gpu")),
            size=size_of(folder, list(map(Path, record["outputs"]))),
        )
        for artefact, record in all_records(folder)
    ]


def size_of(folder: Path, outputs: list[Path]) -> int:
    """Return the bytes of a job's outputs and their record; 0 if one of them is missing."""
    files = [folder / output for output in outputs]
    if not all(file.is_file() for file in files) or (record := find_record(files[0])) is None:
        return 0
    return sum(file.stat().st_size for file in (*files, record))


def scale_of(artefact: Path) -> str:
    """Return the scale of `results/<scale>/models/...`; empty for what all scales share."""
    return artefact.parts[1] if _has_scale(artefact) else ""


def kind_of(artefact: Path) -> str:
    """Return the folder of an artefact, `models` or `scores`; one step may write to several."""
    return artefact.parts[2 if _has_scale(artefact) else 0]


def _has_scale(artefact: Path) -> bool:
    return artefact.parts[0] == "results" and len(artefact.parts) > 3


def subject_of(output: Path) -> str:
    """Return the cell, dataset or figure of an output: `results/<scale>/<kind>/<subject>...`."""
    return Path(output.parts[3]).stem if len(output.parts) > 3 else output.stem
