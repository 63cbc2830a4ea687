"""What records and audits cost.

python benchmarks/audit.py [folder with results/laptop]

Audits a made-up tree of figure 9 at paper scale (300 models), and compares the seconds that a job
takes with and without its record; with a folder, as a share of what its jobs took.
"""

import sys
import time
from contextlib import chdir
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.provenance.audit import audit
from latents.runtime import supervision
from latents.runtime.command_line import Step
from latents.runtime.fingerprint import fingerprint
from latents.runtime.record import all_records
from latents.runtime.step import execute
from latents.workflow.dry_run import planned_jobs
from tests.made_up import make_up

FIGURE = "figures/fig9.pdf"
ROUNDS = 20


def audit_of_300_models() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        started = time.perf_counter()
        jobs = planned_jobs([FIGURE], ["--forceall", "--config", "scale=paper"], folder)
        planned = time.perf_counter() - started
        make_up(folder, jobs, {"scale": "paper"})
        started = time.perf_counter()
        found = audit(folder / FIGURE, folder)
        seconds = time.perf_counter() - started
    fresh = "all fresh" if found.is_fresh else "NOT ALL FRESH"
    print(f"audit: {len(found.nodes)} artefacts of {len(jobs)} jobs, {fresh}: {seconds:.1f} s,")
    print(f"  beside {planned:.1f} s of Snakemake's plan alone; files are made up and tiny")


def cost_of_a_record() -> tuple[float, float]:
    """Seconds that the harness adds to a job that does nothing, with the code of a training."""
    modules = ["models/objectives/dip_vae", "models/networks/conv", "models/priors/standard_normal"]
    code = fingerprint("train_model", tuple(modules)).digest
    job = {"code": code, "modules": modules, "command": "", "values": {}}
    fingerprint.cache_clear()  # a job has not read its code yet
    supervision.refuse_uncovered = lambda code: None  # this process has loaded more than a job
    seconds = []
    with TemporaryDirectory() as name, chdir(name):
        for number in range(ROUNDS):
            step = Step("train_model", job, {}, {"made": [Path(f"{number}.txt")]}, {})
            started = time.perf_counter()
            execute(step, nothing)
            seconds.append(time.perf_counter() - started)
    return seconds[0], median(seconds[1:])


def nothing(*, made: Path) -> None:
    made.write_text("")


def share_of(folder: Path, cost: float) -> None:
    jobs = [record for path, record in all_records(folder) if "laptop" in str(path)]
    total = sum(record["seconds"] for record in jobs)
    print(f"{len(jobs)} jobs at laptop scale took {total:.0f} s: records are ", end="")
    print(f"{100 * cost * len(jobs) / total:.2f} % of that")


if __name__ == "__main__":
    audit_of_300_models()
    first, later = cost_of_a_record()
    print(f"record of a job: {1000 * first:.0f} ms, of which {1000 * (first - later):.0f} ms are")
    print("  checking that the code is still what was planned")
    if sys.argv[1:]:
        share_of(Path(sys.argv[1]), first)
