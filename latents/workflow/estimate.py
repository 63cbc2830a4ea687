"""Cost of planned jobs, estimated from earlier ones.

Cost is taken as proportional to a job's work: for a training, steps x batch x operations of the
network per image; for anything else, runs x examples. Rates come from the nearest jobs that were
measured: of the same cell, else of the same scale, else of the scale with the most work.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from latents.models.flops import operations, weights
from latents.runtime.errors import Problem
from latents.workflow.dry_run import Planned
from latents.workflow.measurements import Measured, kind_of, scale_of, subject_of

MEASURED, OTHERS, UNKNOWN = "measured", "others like it", "unknown"


@dataclass(frozen=True)
class Estimate:
    """Cost of some jobs: GPU-hours (None if none was measured on a GPU), core-hours, and bytes."""

    gpu_hours: float | None
    cpu_hours: float
    size: float  # once all is made and used
    source: str  # how it is known


def estimate(jobs: list[Planned], measured: list[Measured]) -> list[Estimate]:
    """Return one estimate for every group of jobs of one step and subject."""
    groups: dict[tuple[str, str, str, str], list[Planned]] = defaultdict(list)
    for job in jobs:
        first = job.outputs[0]
        groups[job.step.name, kind_of(first), scale_of(first), subject_of(first)].append(job)
    alike: dict[tuple[str, str], list[Measured]] = defaultdict(list)
    for found in filter(_is_understood, measured):
        alike[found.step, found.kind].append(found)
    return [
        _estimate(members, *nearest(alike[name, kind], scale, subject))
        for (name, kind, scale, subject), members in groups.items()
    ]


def nearest(measured: list[Measured], scale: str, subject: str) -> tuple[list[Measured], str]:
    """Return the measured jobs most similar to a planned one, and in what; on a GPU, if any."""
    here = [job for job in measured if job.scale == scale]
    chosen, source = [job for job in here if job.subject == subject], MEASURED
    if not chosen:
        chosen, source = here, OTHERS
    if not chosen and measured:
        largest = max(measured, key=lambda job: work(job.values)).scale
        chosen, source = [job for job in measured if job.scale == largest], f"{largest} scale"
    return [job for job in chosen if job.on_gpu] or chosen, source if chosen else UNKNOWN


def _estimate(jobs: list[Planned], near: list[Measured], source: str) -> Estimate:
    if not near:
        return Estimate(None, 0.0, 0.0, source)
    planned = [job.step.job["values"] for job in jobs]
    times = sum(map(work, planned)) / sum(work(job.values) for job in near) / 3600
    on_gpu = sum(job.seconds for job in near if job.on_gpu)
    kept = [values for values, job in zip(planned, jobs, strict=True) if not job.step.expendable]
    return Estimate(
        on_gpu * times if on_gpu else None,
        sum(job.cpu_seconds for job in near) * times,
        _size(kept, [job for job in near if job.size]),
        source,
    )


def _size(planned: list[dict[str, Any]], measured: list[Measured]) -> float:
    """Return bytes: of models by their weights, of others in proportion to their content."""
    if not measured:
        return 0.0
    each = sum(job.size for job in measured) / max(1.0, sum(content(j.values) for j in measured))
    return sum(_weight_bytes(values) or each * content(values) for values in planned)


def _is_understood(job: Measured) -> bool:
    """Return whether a record's values are known: other versions of the code had other networks."""
    try:
        return work(job.values) > 0
    except (AttributeError, ImportError, KeyError, Problem, RuntimeError, TypeError, ValueError):
        return False


def work(values: dict[str, Any]) -> float:
    """Return what a job's time is proportional to."""
    if "budget" in values:
        budget = values["budget"]
        return float(budget["steps"] * budget["batch_size"] * operations(values["network"]))
    return _runs(values) * _examples(values)


def _weight_bytes(values: dict[str, Any]) -> float:
    """Return the bytes of a training's weights, which dominate its outputs; 0 for other jobs."""
    return 4 * weights(values["network"]) if "budget" in values else 0.0


def content(values: dict[str, Any]) -> float:
    """Return what the size of the outputs is proportional to, for a job that trains nothing."""
    if "training_examples" in values:  # one split per number, and pairs and votes of the largest
        sizes, tested = values["training_examples"], values["test_examples"]
        return float(sum(sizes) + len(sizes) * tested + max(sizes) + tested)
    return _runs(values) * _examples(values)


def _runs(values: dict[str, Any]) -> int:
    """Return how many models a job covers."""
    runs = values.get("runs")
    return len(runs["strengths"]) * runs["seeds"] if isinstance(runs, dict) else 1


def _examples(values: dict[str, Any]) -> int:
    drawn = sum(values.get("training_examples", [])) + values.get("test_examples", 0)
    pairs = values.get("subset", 1) * values.get("samples", 1)
    return int(values.get("examples") or drawn or pairs)


def total(estimates: Iterable[Estimate]) -> Estimate:
    """Return the sum of estimates; unknown ones are left out, and its source says so."""
    parts = list(estimates)
    gpu = [part.gpu_hours for part in parts if part.gpu_hours is not None]
    return Estimate(
        sum(gpu) if gpu else None,
        sum(part.cpu_hours for part in parts),
        sum(part.size for part in parts),
        ", ".join(sorted({part.source for part in parts})),
    )
