"""What earlier jobs took, from the records beside their artefacts."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latents.record import all_records


@dataclass(frozen=True)
class Measured:
    """One job that ran: what it was, and its cost."""

    step: str
    scale: str
    subject: str  # cell, dataset or figure
    values: dict[str, Any]
    seconds: float
    cpu_seconds: float
    on_gpu: bool
    size: int  # bytes of its outputs


def measurements(folder: Path) -> list[Measured]:
    """Every job with a record in a folder; one with several outputs counts once."""
    found = {}
    for artefact, record in all_records(folder):
        mark = (record["key"], record["started"])
        if mark not in found:
            found[mark] = Measured(
                step=record["step"],
                scale=scale_of(artefact),
                subject=subject_of(artefact),
                values=record["job"]["values"],
                seconds=record["seconds"],
                cpu_seconds=record["cpu_seconds"],
                on_gpu=bool(record["environment"].get("gpu")),
                size=sum(_size(folder / name) for name in record["outputs"]),
            )
    return list(found.values())


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def scale_of(artefact: Path) -> str:
    """`results/laptop/...` is of the laptop scale; published figures are of none."""
    return artefact.parts[1] if artefact.parts[0] == "results" else ""


def subject_of(output: Path) -> str:
    """Cell, dataset or figure that an output belongs to: `results/<scale>/<kind>/<subject>...`."""
    return Path(output.parts[3]).stem if len(output.parts) > 3 else output.stem
