"""The workflow on a real Slurm of one node, through `profiles/slurm`, also when disturbed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

from latents.runtime.record import read_record, record_path
from tests.workflow import slurm
from tests.workflow.clones import SMALL, Clone, made_at

FIGURE = "figures/fig9.pdf"
MODEL = "model.safetensors"
RUNS = [f"dsprites_dip_vae_ii/strength_{strength}/seed_0" for strength in (2, 5)]
MODELS = tuple(f"results/smoke/models/{run}/{MODEL}" for run in RUNS)
LONG = ("scale=smoke", "seeds=1", "steps=1000", "state_every=10")
# This cluster keeps no accounts, and a test does not wait a minute for a job of a second.
HERE = (
    "--slurm-status-command=squeue",
    "--slurm-init-seconds-before-status-checks=2",
    "--slurm-no-account",
    "--latency-wait=10",
)
STATUS = """
case $(squeue --noheader --states=all --format=%T --job="$1") in
  COMPLETED) echo success ;;
  PENDING | RUNNING | COMPLETING) echo running ;;
  *) echo failed ;;
esac
"""
PROFILE = ("--workflow-profile", "profiles/slurm", *HERE)


def test_three_hundred_runs_are_thirty_submissions(unbuilt):
    pytest.importorskip(slurm.PLUGINS[0], reason="see make cluster-plugin")
    profile = ("--workflow-profile", "profiles/slurm", "--dry-run")
    planned = unbuilt.snakemake(FIGURE, *profile, "--config", "scale=paper").stdout
    assert planned.count("Group job run") == 30
    assert planned.count("Group job") == 31, "and one for the cell's tables"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[slurm.Cluster]:
    if reason := slurm.what_is_missing():
        pytest.skip(f"tests on a cluster need Slurm: {reason}")
    with slurm.cluster(tmp_path_factory.mktemp("slurm")) as running:
        yield running


def states(cluster: slurm.Cluster, since: int) -> list[str]:
    return [state for number, state in cluster.jobs("JobID", "State") if int(number) > since]


def trainings(clone: Clone) -> list[tuple[float, float]]:
    """Start and end of every training, by its record, which knows its start to the second."""
    records = map(read_record, trained_models(clone))
    told = [(datetime.fromisoformat(r["started"]).timestamp(), r["seconds"]) for r in records]
    return sorted((start, start + seconds) for start, seconds in told)


def test_a_figure_from_a_cluster_is_the_same_figure(cluster, built, unbuilt):
    """Six runs, three to a submission: two submissions for them, and one for the cell's tables."""
    groups = ("--group-components", "run=3")
    done = unbuilt.snakemake(FIGURE, *PROFILE, *groups, "--config", *SMALL, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    assert states(cluster, since=0) == ["COMPLETED"] * 3
    for suffix in (".pdf", ".csv"):
        name = Path(FIGURE).with_suffix(suffix)
        assert (unbuilt.folder / name).read_bytes() == (built.folder / name).read_bytes()
    trained = trainings(unbuilt)
    assert len(trained) == 6
    for (_, end), (start, _) in pairwise(trained):
        assert start > end - 2, "two trainings were on the one GPU at a time"
    assert not unbuilt.plan(targets=(FIGURE,))


def test_a_table_with_the_same_bytes_redraws_nothing_on_a_cluster_either(cluster, clone):
    table = clone.folder / "results/smoke/variables/dsprites_dip_vae_ii.csv"
    drawn = clone.folder / "results/smoke/figures/fig9.pdf"
    scores = clone.folder / "results/smoke/scores/dsprites_dip_vae_ii"
    scored = scores / "averaged_mutual_information.csv"
    before = made_at(table), made_at(scored), made_at(drawn)
    clone.edit("scripts/classify_variables.py", "rows.append(row)", "rows += [row]")
    done = clone.snakemake(FIGURE, *PROFILE, "--config", *SMALL, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    assert made_at(table) != before[0]
    assert (made_at(scored), made_at(drawn)) == before[1:]


def test_two_trainings_through_every_fault_of_a_cluster(cluster, unbuilt, tmp_path):
    """Out of memory; the node's daemon restarted, then over the time limit; cancelled; done."""
    undisturbed = Clone(tmp_path / "undisturbed")
    shutil.copytree(unbuilt.folder, undisturbed.folder)
    before = last_job(cluster)
    memory = "train_model:mem_mb=400 if attempt == 1 else 4000"
    options = ("--retries=3", "--set-resources", memory, "--config", *LONG)
    with (
        started(undisturbed, *MODELS, "--cores=1", "--config", *LONG) as local,
        started(unbuilt, *MODELS, *PROFILE, *options) as snakemake,
    ):
        wait_for_training(cluster, unbuilt, job=before + 2, finished=0)
        cluster.stop_node()
        cluster.start_node()
        os.kill(
            training_of(unbuilt), signal.SIGSTOP
        )  # Slurm looks at its time limits every half minute only
        cluster.ask("scontrol", "update", f"JobId={before + 2}", "EndTime=now")
        wait_for_training(cluster, unbuilt, job=before + 3, finished=1)
        (model,) = trained_models(unbuilt)
        written = made_at(model)
        cluster.ask("scancel", str(before + 3))
        for process in (snakemake, local):
            assert process.wait(timeout=300) == 0, (unbuilt.folder / "said.txt").read_text()
    assert states(cluster, before) == ["FAILED", "TIMEOUT", "CANCELLED", "COMPLETED"]
    assert made_at(model) == written, "a finished model was trained again"
    (cancelled,) = (run for run in RUNS if run not in str(model))
    log = unbuilt.folder / f"results/smoke/logs/train_model/{cancelled}.log"
    assert "resumed from step" in log.read_text()
    for name in MODELS:
        assert (unbuilt.folder / name).read_bytes() == (undisturbed.folder / name).read_bytes()


def test_a_submission_that_outlives_its_snakemake_is_not_made_twice(cluster, built, unbuilt):
    """Snakemake is killed -9; the command that its message names, then the same one, goes on."""
    before = last_job(cluster)
    command = (MODELS[0], *PROFILE, "--config", *SMALL)
    with started(unbuilt, *command) as first:
        slurm.wait_for(lambda: training_of(unbuilt), seconds=200)
    first.wait()
    model, training = unbuilt.folder / MODELS[0], training_of(unbuilt)
    os.kill(training, signal.SIGSTOP)  # so that it cannot end before its successor is there
    refused = unbuilt.snakemake(*command)
    assert "removed with the --unlock argument" in refused.stderr
    assert unbuilt.snakemake(*command, "--unlock").returncode == 0
    with started(unbuilt, *command) as again:
        slurm.wait_for(lambda: last_job(cluster) == before + 2, seconds=200)
        os.kill(training, signal.SIGCONT)
        slurm.wait_for(record_path(model).exists, seconds=200)
        made = made_at(model)
        assert again.wait(timeout=300) == 0, (unbuilt.folder / "said.txt").read_text()
    assert states(cluster, before) == ["COMPLETED"] * 2
    assert model.read_bytes() == (built.folder / MODELS[0]).read_bytes()
    assert made_at(model) == made, "it was trained twice"


def test_any_scheduler_by_its_own_commands(cluster, built, unbuilt, tmp_path):
    """`profiles/generic` with Slurm as the other scheduler."""
    before = last_job(cluster)
    status = tmp_path / "status.sh"
    status.write_text(STATUS)
    ask = "--cpus-per-task={threads} --mem={resources.mem_mb} --time={resources.runtime}"
    commands = (
        f"--cluster-generic-submit-cmd=sbatch --parsable --gres=gpu:{{resources.gpu}} {ask}",
        f"--cluster-generic-status-cmd=sh {status}",
        "--cluster-generic-cancel-cmd=scancel",
    )
    profile = ("--workflow-profile", "profiles/generic", *commands)
    quick = ("--latency-wait=10", "--seconds-between-status-checks=2")
    done = unbuilt.snakemake(MODELS[0], *profile, *quick, "--config", *SMALL, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    assert states(cluster, before) == ["COMPLETED"]
    written = (unbuilt.folder / MODELS[0]).read_bytes()
    assert written == (built.folder / MODELS[0]).read_bytes()


@contextmanager
def started(clone: Clone, *arguments: str) -> Iterator[subprocess.Popen]:
    """Snakemake in the background, and its end whatever happens."""
    command = [sys.executable, "-m", "snakemake", *arguments]
    with (clone.folder / "said.txt").open("w") as said:
        process = subprocess.Popen(command, cwd=clone.folder, stdout=said, stderr=said)
    try:
        yield process
    finally:
        process.kill()


def wait_for_training(cluster: slurm.Cluster, clone: Clone, *, job: int, finished: int) -> None:
    """Until a job trains on after so many models, and has written a state of its own."""
    slurm.wait_for(lambda: last_job(cluster) == job, seconds=200)
    slurm.wait_for(lambda: states(cluster, job - 1) == ["RUNNING"])
    begun = time.time()

    def is_training() -> bool:
        results = clone.folder / "results/smoke"
        for state in (results / "states").rglob("state.safetensors"):
            run = state.parent.parent.relative_to(results / "states")
            if state.stat().st_mtime > begun and not (results / "models" / run / MODEL).exists():
                return len(trained_models(clone)) == finished
        return False

    slurm.wait_for(is_training, seconds=200)


def training_of(clone: Clone) -> int:
    """Process number of a training of this clone; 0 if there is none."""
    script = f"^[^ ]*python[^ ]* {clone.folder}/scripts/train_model.py"
    found = subprocess.run(["pgrep", "-f", script], capture_output=True, text=True).stdout
    return int(found.split()[0]) if found else 0


def trained_models(clone: Clone) -> list[Path]:
    return sorted((clone.folder / "results/smoke/models").rglob(MODEL))


def last_job(cluster: slurm.Cluster) -> int:
    return max((int(number) for (number,) in cluster.jobs("JobID")), default=0)
