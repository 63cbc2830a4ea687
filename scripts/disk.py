"""How much disk each kind of artefact takes now, and would take for a target at another scale.

python scripts/disk.py [TARGET] [--config scale=paper ...]
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.disk import Amount, Expected, expect, measure, used
from latents.plan import planned_jobs
from latents.problem import Problem

EVALUATIONS = "evaluations"
MODELS = "models/model.safetensors"


def main(target: str, options: list[str]) -> None:
    here = Path()
    now = used(here)
    jobs = planned_jobs([target], ["--forceall", *options], here)
    then = expect(jobs, measure(here))
    print(f"{'':34}{'now':>20}  {f'all that {target} needs':>30}")
    for kind in sorted({*now, *then}, key=lambda kind: -max(_bytes(now, kind), _bytes(then, kind))):
        there, wanted = now.get(kind, Amount()), then.get(kind, Expected())
        print(f"{kind:34}{_line(there):>20}  {_line(wanted):>30}{_doubts(wanted)}")
    total = Expected(sum(a.files for a in then.values()), sum(a.bytes for a in then.values()))
    there = Amount(sum(a.files for a in now.values()), sum(a.bytes for a in now.values()))
    print(f"{'together':34}{_line(there):>20}  {_line(total):>30}")
    if models := then.get(MODELS):
        state = size(3 * models.bytes / models.files)
        print(
            f"A training keeps a resume state of about {state} while it runs, and none afterwards."
        )
    if dropped := then.get(EVALUATIONS):
        print(f"With keep=figures it would be {size(dropped.bytes)} less: evaluations are dropped.")


def _bytes(amounts: dict[str, Amount] | dict[str, Expected], kind: str) -> float:
    return amounts[kind].bytes if kind in amounts else 0.0


def _line(amount: Amount) -> str:
    return f"{amount.files:,} files {size(amount.bytes):>9}" if amount.files else "–"


def _doubts(amount: Expected) -> str:
    said = ["extrapolated from another scale"] if amount.extrapolated else []
    said += [f"{amount.unknown:,} of unknown size"] if amount.unknown else []
    return "  " + ", ".join(said) if said else ""


def size(count: float) -> str:
    """Three digits and a unit of the power of ten."""
    for unit in ("B", "kB", "MB"):
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.1f} GB"


if __name__ == "__main__":
    words = sys.argv[1:]
    target = words.pop(0) if words and not words[0].startswith("-") else "all"
    try:
        main(target, words)
    except Problem as problem:
        sys.exit(str(problem))
