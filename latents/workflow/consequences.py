"""What follows from changed code: the artefacts that a plan makes again because of each unit."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from latents.workflow.dry_run import Planned

# What the outputs of a step are called; a published figure is a copy.
NOUNS = {
    "obtain_originals": "receipt",
    "prepare_dataset": "dataset",
    "train_model": "model",
    "encode_representation": "representation",
    "encode_evaluation": "evaluation",
    "draw_figure": "figure",
    "draw_claims": "figure",
    "draw_contact_sheet": "figure",
    "diagnose_representation": "diagnosis",
    "export_crate": "crate",
}
COPIES = ("publish_figure",)


def consequences(jobs: list[Planned], changes: dict[int, list[str]]) -> Iterator[str]:
    """Yield `FILE: UNIT changed → 8 tables, 2 figures`; `changes` are those of a job's own code."""
    readers: dict[Path, list[int]] = defaultdict(list)
    for place, job in enumerate(jobs):
        for path in job.inputs:
            readers[path].append(place)
    causes: dict[str, set[int]] = defaultdict(set)
    for place, said in changes.items():
        for change in said:
            causes[change].add(place)
    for change, places in sorted(causes.items()):
        yield f"{change} → {_counted(_with_readers(places, jobs, readers), jobs)}"


def _with_readers(
    places: set[int], jobs: list[Planned], readers: dict[Path, list[int]]
) -> set[int]:
    """Return jobs with all that read what they make, directly or not."""
    reached, waiting = set(places), list(places)
    while waiting:
        for path in jobs[waiting.pop()].outputs:
            waiting += (new := set(readers.get(path, [])) - reached)
            reached |= new
    return reached


def _counted(places: set[int], jobs: list[Planned]) -> str:
    steps = [job.step.name for place, job in enumerate(jobs) if place in places]
    counts = Counter(NOUNS.get(step, "table") for step in steps if step not in COPIES)
    words = (f"{n} {what if n == 1 else _plural(what)}" for what, n in counts.items())
    return ", ".join(words) or "copies of figures"


def _plural(noun: str) -> str:
    return f"{noun}s" if noun != "diagnosis" else "diagnoses"
