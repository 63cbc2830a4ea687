"""A plan as text: jobs, hours and disk by stage, and trainings by cell."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from latents.workflow.dry_run import Planned
from latents.workflow.estimate import UNKNOWN, Estimate, estimate, total
from latents.workflow.measurements import Measured, size_of, subject_of
from latents.workflow.resources import IMAGES_PER_SECOND

COLUMNS = "{:24}{:>9}{:>9}{:>9}{:>12}{:>12}{:>11}{:>11}   {}"
TRAINING = "train_model"
EVALUATION = "encode_evaluation"


def plan_table(
    jobs: list[Planned], waiting: list[Planned], measured: list[Measured], folder: Path
) -> Iterator[str]:
    """Yield the lines of a plan: `jobs` are all that a target depends on, `waiting` those to run.

    Hours, and the disk to come, are those of the waiting ones.
    """
    counts, left = (Counter(job.step.name for job in some) for some in (jobs, waiting))
    depths = stage_depths(jobs)
    yield COLUMNS.format(
        "stage",
        "jobs",
        "done",
        "to do",
        "GPU-hours",
        "CPU-hours",
        "disk now",
        "to come",
        "known from",
    )
    sizes: Counter[str] = Counter()
    for job in jobs:
        sizes[job.step.name] += size_of(folder, job.outputs)
    costs = {
        name: total(estimate([job for job in waiting if job.step.name == name], measured))
        for name in counts
    }
    for name in sorted(counts, key=depths.__getitem__):
        yield _line(name, counts[name], left[name], sizes[name], costs[name])
    together = total(costs.values())
    yield _line("together", len(jobs), len(waiting), sizes.total(), together)
    yield from _trainings(jobs, waiting)
    yield from _remarks(costs, left)
    if left[TRAINING] and costs[TRAINING].gpu_hours is None:
        yield _guess([job for job in waiting if job.step.name == TRAINING])
    yield from _disk_remarks(costs, left)


def stage_depths(jobs: list[Planned]) -> dict[str, int]:
    """Return the longest chain of steps before each step; jobs stand after their dependencies."""
    depths: dict[Path, int] = {}
    stages: dict[str, int] = {}
    for job in jobs:
        depth = max((1 + depths.get(path, 0) for path in job.inputs), default=0)
        depths |= dict.fromkeys(job.outputs, depth)
        stages[job.step.name] = max(depth, stages.get(job.step.name, 0))
    return stages


def _line(name: str, jobs: int, left: int, size: int, cost: Estimate) -> str:
    is_known = left and cost.source != UNKNOWN
    return COLUMNS.format(
        name,
        f"{jobs:,}",
        f"{jobs - left:,}",
        f"{left:,}",
        "" if cost.gpu_hours is None else f"{cost.gpu_hours:,.1f}",
        f"{cost.cpu_hours:,.1f}" if is_known else "",
        _size(size) if size else "",
        _size(cost.size) if is_known else "",
        "" if name == "together" else cost.source,
    ).rstrip()


def _size(size: float) -> str:
    """Return a size with its unit: `12 kB`, `3.4 GB`."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"


def _trainings(jobs: list[Planned], waiting: list[Planned]) -> Iterator[str]:
    """Yield how many models each cell has, and how many of them are trained."""
    trained, left = (trainings_per_cell(some) for some in (jobs, waiting))
    yield f"{trained.total():,} trainings:"
    for cell, count in sorted(trained.items()):
        yield f"  {count:5,} {cell}" + (
            f", {count - left[cell]:,} done" if left[cell] < count else ""
        )


def trainings_per_cell(jobs: list[Planned]) -> Counter[str]:
    return Counter(subject_of(job.outputs[0]) for job in jobs if job.step.name == TRAINING)


def _remarks(costs: dict[str, Estimate], left: Counter[str]) -> Iterator[str]:
    """Yield what the numbers leave out."""
    sources = {name for cost in costs.values() for name in cost.source.split(", ")}
    others = sorted(name for name in sources if name.endswith(" scale"))
    if others:
        yield (
            f"Extrapolated from the {' and '.join(others)}: by steps x batch x network for "
            "trainings, by runs x examples for the rest; the start of a job counts as work."
        )
    unknown = [f"{left[name]:,} x {name}" for name, cost in costs.items() if UNKNOWN in cost.source]
    if len(unknown) == len(costs):
        yield "Nothing was measured yet: build a figure at laptop scale, and ask again."
    elif unknown:
        yield f"Nothing was measured that could tell the cost of {', '.join(unknown)}."


def _guess(trainings: list[Planned]) -> str:
    """Return what GPUs would take at the pace by which cluster submissions are sized."""
    budgets = [job.step.job["values"]["budget"] for job in trainings]
    images = sum(budget["steps"] * budget["batch_size"] for budget in budgets)
    rate = IMAGES_PER_SECOND["gpu"]
    return (
        f"No training was measured on a GPU. At a guessed {rate:,} images a second the trainings "
        f"would take {images / rate / 3600:,.0f} GPU-hours; `make gpu-check` measures yours."
    )


def _disk_remarks(costs: dict[str, Estimate], left: Counter[str]) -> Iterator[str]:
    """Yield what takes disk only for a while, and what need not stay."""
    if left[TRAINING] and (size := costs[TRAINING].size / left[TRAINING]):
        yield (
            f"A training keeps a resume state of about {_size(3 * size)} while it runs, and none "
            "afterwards."
        )
    if EVALUATION in costs and (size := costs[EVALUATION].size):
        yield (
            f"With --config keep=figures it would be {_size(size)} less: evaluations are dropped "
            "once they were used."
        )
