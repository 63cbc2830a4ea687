"""Why a job would run, in words, and what it would cost, from the records of earlier runs."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from latents.differences import differences
from latents.plan import Planned
from latents.progress import duration
from latents.record import all_records, read_record

Costs = dict[tuple[str, str], list[float]]  # seconds of earlier jobs, by step and scale


def explain(jobs: list[Planned], folder: Path, costs: Costs) -> Iterator[str]:
    """One line per group of jobs of the same step, cell and reason; then the total."""
    groups: dict[tuple[str, str, str], list[Planned]] = defaultdict(list)
    for job in jobs:
        reason = "; ".join(reasons(job, folder)) or "its inputs are made anew"
        groups[job.step.name, subject_of(job.outputs[0]), reason].append(job)
    total, unknown = 0.0, 0
    for (name, subject, reason), members in groups.items():
        seconds = costs.get((name, _scale(members[0].outputs[0])))
        total += mean(seconds) * len(members) if seconds else 0
        unknown += 0 if seconds else len(members)
        cost = f"about {duration(mean(seconds))} each" if seconds else "no earlier run to tell"
        yield f"{len(members):5d} × {name} {subject}: {reason} ({cost})"
    estimate = f"about {duration(total)} of one core" if total else "cost unknown"
    missing = f", and {unknown} jobs of unknown cost" if unknown and total else ""
    yield f"{len(jobs):5d} jobs, {estimate}{missing}"


def reasons(job: Planned, folder: Path) -> list[str]:
    """What changed since the outputs were made; empty where only their inputs are made anew."""
    outputs = [folder / path for path in job.outputs]
    if missing := [path for path in outputs if not path.exists()]:
        some = len(missing) < len(outputs)
        return [f"{missing[0].name} is missing" if some else _new(job, folder)]
    records = [read_record(path) for path in outputs]
    if records[0] is None or not all(records):
        return ["nothing records how the file was made"]
    return differences(records[0]["job"], job.step.job)


def _new(job: Planned, folder: Path) -> str:
    """A run of a seed that no strength has yet is a new seed, not a missing file."""
    seed = job.step.job["values"].get("seed")
    if job.step.name == "train_model" and seed is not None:
        cell = job.outputs[0].parents[2]
        others = {int(p.name[5:]) for p in (folder / cell).glob("strength_*/seed_*")}
        if others and seed > max(others):
            return f"seeds {max(others) + 1} → {seed + 1}"
    return "not built yet"


def measured_costs(folder: Path) -> Costs:
    """Seconds that each step took, from every record; each job counts once."""
    costs: Costs = defaultdict(list)
    seen = set()
    for artefact, record in all_records(folder):
        if (mark := (record["key"], record["started"])) not in seen:
            seen.add(mark)
            costs[record["step"], _scale(artefact)].append(record["seconds"])
    return costs


def _scale(artefact: Path) -> str:
    """`results/laptop/...` is of the laptop scale; published figures are of none."""
    return artefact.parts[1] if artefact.parts[0] == "results" else ""


def subject_of(output: Path) -> str:
    """Cell, dataset or figure that an output belongs to: `results/<scale>/<kind>/<subject>...`."""
    return Path(output.parts[3]).stem if len(output.parts) > 3 else output.stem
