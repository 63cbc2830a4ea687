"""List every job that would run for a target, why it would, and what it would cost.

python scripts/why.py figures/fig9.pdf [--config scale=paper ...]
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from latents.explain import Planned, explain, measured_costs  # noqa: E402
from latents.step import read_command_line  # noqa: E402

COMMAND = re.compile(r"^(?:Shell command: )?\s*python \S*scripts/(\w+)\.py .*$", re.MULTILINE)


def planned_jobs(target: str, options: list[str]) -> list[Planned]:
    """What Snakemake would run, read from the commands of its dry run."""
    command = [sys.executable, "-m", "snakemake", target, "--dry-run", "--printshellcmds"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr.strip() or done.stdout.strip())
    jobs = []
    for found in COMMAND.finditer(done.stdout):
        words = shlex.split(found.group().partition("scripts/")[2])
        step = read_command_line(found.group(1), words[1 : words.index("2>&1")])
        jobs.append(Planned.from_step(step, ROOT))
    return jobs


def main(target: str, options: list[str]) -> None:
    jobs = planned_jobs(target, options)
    if not jobs:
        print(f"{target}: nothing to be done, it is up to date")
        return
    for line in explain(jobs, measured_costs(ROOT)):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
