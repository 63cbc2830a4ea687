"""What a target would cost: jobs, hours and disk by stage, and what is done already.

python scripts/plan.py figures/fig9.pdf [--config scale=paper ...]
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.measured import measurements
from latents.plan import planned_jobs
from latents.plan_text import plan_table
from latents.problem import Problem


def main(target: str, options: list[str]) -> None:
    here = Path()
    targets = ["all"] if target == "figures" else [target]
    jobs = planned_jobs(targets, ["--forceall", *options], here)
    waiting = planned_jobs(targets, options, here)
    for line in plan_table(jobs, waiting, measurements(here), here):
        print(line)


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2:])
    except Problem as problem:
        sys.exit(str(problem))
