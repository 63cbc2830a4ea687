"""Reasons why jobs would run, in words, and their cost from records of earlier runs."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from latents.runtime.environment import other_versions
from latents.runtime.progress import duration
from latents.runtime.record import read_record
from latents.workflow.consequences import consequences
from latents.workflow.differences import differences, is_of_code
from latents.workflow.dry_run import Planned
from latents.workflow.measurements import Measured, scale_of, subject_of

Costs = dict[tuple[str, str], list[float]]  # seconds of earlier jobs, by step and scale


def explain(jobs: list[Planned], folder: Path, costs: Costs) -> Iterator[str]:
    """Yield what follows from each changed unit of code, groups of jobs, and their total.

    A group has one step, cell and reason.
    """
    groups: dict[tuple[str, str, str], list[Planned]] = defaultdict(list)
    changes: dict[int, list[str]] = {}
    made = {path for job in jobs for path in job.outputs}
    for place, job in enumerate(jobs):
        said = reasons(job, folder)
        if not said and made.isdisjoint(job.inputs):
            said = _other_packages(job, folder)
        changes[place] = [words for words in said if is_of_code(words)]
        groups[job.step.name, subject_of(job.outputs[0]), _shortened(said)].append(job)
    yield from consequences(jobs, changes)
    total, unknown = 0.0, 0
    for (name, subject, reason), members in groups.items():
        seconds = costs.get((name, scale_of(members[0].outputs[0])))
        total += mean(seconds) * len(members) if seconds else 0
        unknown += 0 if seconds else len(members)
        cost = f"about {duration(mean(seconds))} each" if seconds else "no earlier run to tell"
        yield f"{len(members):5d} × {name} {subject}: {reason} ({cost})"
    estimate = f"about {duration(total)} of one core" if total else "cost unknown"
    missing = f", and {unknown} jobs of unknown cost" if unknown and total else ""
    yield f"{len(jobs):5d} jobs, {estimate}{missing}"


def _shortened(said: list[str]) -> str:
    """Return reasons in one line; of many units that changed, the first."""
    code = [words for words in said if is_of_code(words)]
    more = [f"{code[0]} and {len(code) - 1} more"] if len(code) > 1 else code
    rest = [words for words in said if not is_of_code(words)]
    return "; ".join([*more, *rest]) or "its inputs change"


def reasons(job: Planned, folder: Path) -> list[str]:
    """Return what changed since the outputs were made; nothing if only their inputs change."""
    outputs = [folder / path for path in job.outputs]
    if missing := [path for path in outputs if not path.exists()]:
        some = len(missing) < len(outputs)
        return [f"{missing[0].name} is missing" if some else _new(job, folder)]
    records = [read_record(path) for path in outputs]
    if records[0] is None or not all(records):
        return ["nothing records how the file was made"]
    return differences(records[0], job.step)


def _other_packages(job: Planned, folder: Path) -> list[str]:
    """Return with which versions a result was made, where nothing else tells why it is stale."""
    record = read_record(folder / job.outputs[0])
    versions = other_versions(record["environment"]) if record else []
    return [f"made with {'; '.join(versions)}"] if versions else []


def _new(job: Planned, folder: Path) -> str:
    """Return why a job is new: a seed beyond all others is a new seed, not a missing file."""
    seed = job.step.job["values"].get("seed")
    if job.step.name == "train_model" and seed is not None:
        cell = job.outputs[0].parents[2]
        others = {int(p.name[5:]) for p in (folder / cell).glob("strength_*/seed_*")}
        if others and seed > max(others):
            return f"seeds {max(others) + 1} → {seed + 1}"
    return "not built yet"


def costs_of(measured: list[Measured]) -> Costs:
    """Return the seconds that each step took."""
    costs: Costs = defaultdict(list)
    for job in measured:
        costs[job.step, job.scale].append(job.seconds)
    return costs
