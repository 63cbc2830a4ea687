"""Why a job would run, in words, and what it would cost, from the records of earlier runs."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from latents.progress import duration
from latents.record import SUFFIX, canonical, read_record
from latents.step import Step

KINDS = {
    "datasets": "dataset",
    "metrics": "metric",
    "models": "network",
    "objectives": "objective",
    "plots": "plot",
    "priors": "prior",
}
Costs = dict[tuple[str, str], list[float]]  # seconds of earlier jobs, by step and scale


@dataclass(frozen=True)
class Planned:
    """A job of the plan beside what the record of its output says."""

    step: Step
    folder: Path
    record: dict[str, Any] | None

    @classmethod
    def from_step(cls, step: Step, root: Path) -> "Planned":
        records = [read_record(root / path) for paths in step.outputs.values() for path in paths]
        return cls(step, root, records[0] if all(records) else None)

    @property
    def output(self) -> Path:
        return next(iter(self.step.outputs.values()))[0]

    def reasons(self) -> list[str]:
        """What changed since the output was made; empty where only its inputs are made anew."""
        outputs = [self.folder / path for paths in self.step.outputs.values() for path in paths]
        if missing := [path for path in outputs if not path.exists()]:
            some = len(missing) < len(outputs)
            return [f"{missing[0].name} is missing" if some else self._new()]
        if self.record is None:
            return ["nothing records how the file was made"]
        old, new = self.record["job"], self.step.job
        said = [*_code_changes(old["code"], new["code"])]
        said += _value_changes(old["values"], new["values"])
        if old["command"] != new["command"]:
            said.append("the rule's command changed")
        return said

    def _new(self) -> str:
        """A run of a seed that no strength has yet is a new seed, not a missing file."""
        seed = self.step.job["values"].get("seed")
        if self.step.name == "train_model" and seed is not None:
            cell = self.output.parents[2]
            others = {int(p.name[5:]) for p in (self.folder / cell).glob("strength_*/seed_*")}
            if others and seed > max(others):
                return f"seeds {max(others) + 1} → {seed + 1}"
        return "not built yet"


def explain(jobs: list[Planned], costs: Costs) -> Iterator[str]:
    """One line per group of jobs of the same step, cell and reason; then the total."""
    groups: dict[tuple[str, str, str], list[Planned]] = defaultdict(list)
    for job in jobs:
        reason = "; ".join(job.reasons()) or "its inputs are made anew"
        groups[job.step.name, _subject(job.output), reason].append(job)
    total, unknown = 0.0, 0
    for (name, subject, reason), members in groups.items():
        seconds = costs.get((name, _scale(members[0].output)))
        total += mean(seconds) * len(members) if seconds else 0
        unknown += 0 if seconds else len(members)
        cost = f"about {duration(mean(seconds))} each" if seconds else "no earlier run to tell"
        yield f"{len(members):5d} × {name} {subject}: {reason} ({cost})"
    estimate = f"about {duration(total)} of one core" if total else "cost unknown"
    missing = f", and {unknown} jobs of unknown cost" if unknown and total else ""
    yield f"{len(jobs):5d} jobs, {estimate}{missing}"


def measured_costs(root: Path) -> Costs:
    """Seconds that each step took, from every record; each job counts once."""
    costs: Costs = defaultdict(list)
    seen = set()
    for path in [*root.glob(f"results/**/*{SUFFIX}"), *root.glob(f"figures/*{SUFFIX}")]:
        artefact = path.with_name(path.name.removesuffix(SUFFIX))
        record = read_record(artefact)
        if record and (mark := (record["key"], record["started"])) not in seen:
            seen.add(mark)
            costs[record["step"], _scale(artefact.relative_to(root))].append(record["seconds"])
    return costs


def _scale(artefact: Path) -> str:
    """`results/laptop/...` is of the laptop scale; published figures are of none."""
    return artefact.parts[1] if artefact.parts[0] == "results" else ""


def _subject(output: Path) -> str:
    """Cell, dataset or figure that an output belongs to: `results/<scale>/<kind>/<subject>...`."""
    return Path(output.parts[3]).stem if len(output.parts) > 3 else output.stem


def _code_changes(old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    for path in sorted(set(old) | set(new)):
        if old.get(path) != new.get(path):
            kind = KINDS.get(Path(path).parent.name, Path(path).parent.name.rstrip("s"))
            if path not in old or path not in new:
                yield f"{kind} {Path(path).stem} {'added' if path in new else 'dropped'}"
            else:
                yield f"{kind if kind != 'latent' else 'module'} {Path(path).stem} changed"


def _value_changes(old: Any, new: Any, name: str = "") -> list[str]:
    """`steps 2000 → 3000` for every value that differs; long ones by name only."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = sorted(set(old) | set(new))
        return [said for key in keys for said in _value_changes(old.get(key), new.get(key), key)]
    if old == new:
        return []
    if isinstance(old, list) and isinstance(new, list) and len(old) != len(new):
        return [f"{name}: {len(old)} → {len(new)}"]
    before, after = canonical(old), canonical(new)
    return [f"{name} {before} → {after}" if len(before + after) < 60 else f"{name} changed"]
