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

COMMAND = re.compile(r"^(?:Shell command: )?\s*(python .*/(\w+)\.py.*)$", re.MULTILINE)
JOB = re.compile(r"^(?:local)?rule \w+:", re.MULTILINE)


def planned_jobs(target: str, options: list[str]) -> list[Planned]:
    """What Snakemake would run, read from the commands of its dry run."""
    command = [sys.executable, "-m", "snakemake", target, "--dry-run", "--printshellcmds"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True)
    said = [line for line in (done.stdout + done.stderr).splitlines() if "profile" not in line]
    if done.returncode:
        sys.exit("\n".join(said).strip())
    jobs = []
    for line in COMMAND.findall(done.stdout):
        words = shlex.split(line[0])
        step = read_command_line(Path(words[1]).stem, words[2 : words.index("2>&1")])
        jobs.append(Planned.from_step(step, ROOT))
    if len(jobs) != len(JOB.findall(done.stdout)):
        sys.exit("why: could not read Snakemake's plan; see it with snakemake --dry-run")
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
