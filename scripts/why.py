"""List every job that would run for a target, why it would, and what it would cost.

python scripts/why.py figures/fig9.pdf [--config scale=paper ...]
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.explain import costs_of, explain
from latents.measured import measurements
from latents.plan import planned_jobs
from latents.problem import Problem


def main(target: str, options: list[str]) -> None:
    here = Path()
    jobs = planned_jobs([target], options, here)
    if not jobs:
        print(f"{target}: nothing to be done, it is up to date")
        return
    for line in explain(jobs, here, costs_of(measurements(here))):
        print(line)


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2:])
    except Problem as problem:
        sys.exit(str(problem))
