"""What planning costs: seconds and memory of a dry run, for sweeps of growing size.

    python benchmarks/dag.py
    python benchmarks/dag.py --models 100 1000      a quick look

At paper scale, for `snakemake all --dry-run`: nothing built yet, all up to date, and all but one
model. The sweeps are those of this repository with fewer seeds, or with made-up cells beside them,
each of which has 300 models and a figure; what is built is made up too (small files, true records).
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.runtime.record import record_path
from latents.runtime.sources import ROOT
from latents.workflow.dry_run import planned_jobs
from tests.made_up import make_up

PARTS = ("Snakefile", "config", "envs", "latents", "profiles", "rules", "scripts")
PER_SEED = 56  # models of all cells that `all` needs: 9 cells x 6 strengths, and two of one
PER_CELL = 300
SEEDS = 50
CELL = "{name}: {{<<: *beta_vae, title: Made up, dataset: dsprites}}\n"
FIGURE = "{name}: {{<<: *truncated, cells: [{name}]}}\n"
MODEL = "results/paper/models/dsprites_beta_vae/strength_1/seed_0/model.safetensors"


@dataclass(frozen=True)
class Run:
    """One dry run."""

    jobs: int
    cpu_seconds: float
    seconds: float
    megabytes: float


def make_project(folder: Path, models: int) -> list[str]:
    """A copy of this project with about as many models; returns Snakemake's options for it."""
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copyfile
        copy(ROOT / part, folder / part)
    seeds = min(SEEDS, round(models / PER_SEED))
    names = [f"made_up_{i}" for i in range(max(0, models - PER_SEED * SEEDS) // PER_CELL)]
    for file, row in (("sweeps", CELL), ("figures", FIGURE)):
        with (folder / "config" / f"{file}.yaml").open("a") as text:
            text.writelines(row.format(name=name) for name in names)
    return ["--config", "scale=paper", f"seeds={seeds}"]


def dry_run(folder: Path, options: list[str]) -> Run:
    command = [sys.executable, "-m", "snakemake", "all", "--dry-run", *options]
    started = time.perf_counter()
    with (folder / "said.txt").open("w") as said:
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
    text = (folder / "said.txt").read_text()
    if status:
        sys.exit(text[-2000:])
    total = re.search(r"^total\s+(\d+)", text, re.MULTILINE)
    cpu, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss / 2**10
    return Run(int(total[1]) if total else 0, cpu, time.perf_counter() - started, megabytes)


def show(models: int, case: str, run: Run) -> None:
    print(f"{models:8,}  {case:16}{run.jobs:10,}", end="")
    print(f"{run.cpu_seconds:10.1f}{run.seconds:10.1f}{run.megabytes:8,.0f}", flush=True)


def measure(models: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        options = make_project(folder, models)
        fresh, plan = dry_run(folder, options), planned_jobs(["all"], options, folder, folder)
        models = sum(job.step.name == "train_model" for job in plan)
        show(models, "nothing built", fresh)
        make_up(folder, plan, {})
        show(models, "up to date", dry_run(folder, options))
        record_path(folder / MODEL).unlink()
        show(models, "one model stale", dry_run(folder, options))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=int, nargs="+", default=[100, 1000, 2800, 6400, 10_000])
    wanted = parser.parse_args().models
    print(f"{'models':>8}  {'':16}{'jobs':>10}{'CPU s':>10}{'wall s':>10}{'MB':>8}")
    for number in wanted:
        measure(number)
