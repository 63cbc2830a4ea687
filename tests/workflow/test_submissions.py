"""Jobs that ride in one submission, through `profiles/generic` and a scheduler of three lines."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from latents.runtime.record import record_path
from tests.workflow.clones import SMALL, Clone, made_at, wait_for

RUNS = [f"dsprites_dip_vae_ii/strength_{strength}/seed_0" for strength in (2, 5, 10)]
MODELS = tuple(f"results/smoke/models/{run}/model.safetensors" for run in RUNS)
# The scheduler starts what it is given, while there is a file `hold` only if it is told to.
SUBMIT = """#!/bin/sh
setsid sh -c 'while [ -e hold ] && [ ! -e "$0.go" ]; do sleep 0.1; done; sh "$0"
  echo $? > "$0.ended"' "$1" > /dev/null 2>&1 &
echo "$1"
"""
STATUS = """#!/bin/sh
case $(cat "$1.ended" 2> /dev/null) in
  "") echo running ;;
  0) echo success ;;
  *) echo failed ;;
esac
"""


@pytest.fixture
def cluster(unbuilt: Clone) -> Clone:
    pytest.importorskip("snakemake_executor_plugin_cluster_generic", reason="make cluster-plugin")
    for name, text in (("submit", SUBMIT), ("status", STATUS)):
        (unbuilt.folder / name).write_text(text)
    return unbuilt


def command(*options: str) -> list[str]:
    """All runs in one submission; Snakemake leaves each submission's script until it has ended."""
    profile = ["--workflow-profile", "profiles/generic", "--latency-wait=5"]
    profile += ["--cluster-generic-submit-cmd=sh submit", "--cluster-generic-status-cmd=sh status"]
    profile += ["--cluster-generic-cancel-cmd=true", "--seconds-between-status-checks=1"]
    return [*MODELS, *profile, *options, "--config", *SMALL]


def start(clone: Clone) -> subprocess.Popen:
    said = (clone.folder / "said.txt").open("w")
    words = [sys.executable, "-m", "snakemake", *command()]
    return subprocess.Popen(words, cwd=clone.folder, stdout=said, stderr=said)


def submissions(clone: Clone) -> list[Path]:
    return list((clone.folder / ".snakemake").glob("tmp.*/snakejob.*.sh"))


def test_what_is_in_the_queue_when_snakemake_is_killed_is_made_once(cluster, built):
    """The second submission begins in the middle of the first."""
    (cluster.folder / "hold").touch()
    first = start(cluster)
    (waiting,) = wait_for(lambda: submissions(cluster))
    first.kill()
    first.wait()
    assert cluster.snakemake(*command("--unlock")).returncode == 0
    again = start(cluster)
    wait_for(lambda: len(submissions(cluster)) == 2)
    waiting.with_name(f"{waiting.name}.go").touch()
    records = [record_path(cluster.folder / model) for model in MODELS]
    wait_for(lambda: any(record.exists() for record in records))
    (cluster.folder / "hold").unlink()
    seen: dict[str, set[str]] = {model: set() for model in MODELS}
    while again.poll() is None or not all_ended(cluster):
        for model in MODELS:
            if record_path(cluster.folder / model).exists():
                seen[model].add(made_at(cluster.folder / model))
        time.sleep(0.05)
    assert again.returncode == 0, (cluster.folder / "said.txt").read_text()
    assert [len(found) for found in seen.values()] == [1, 1, 1], "a model was trained twice"
    for model in MODELS:
        assert (cluster.folder / model).read_bytes() == (built.folder / model).read_bytes()


def all_ended(clone: Clone) -> bool:
    """Also those whose Snakemake is gone."""
    found = subprocess.run(
        ["pgrep", "-f", str(clone.folder / ".snakemake/tmp")], capture_output=True
    )
    return found.returncode != 0


def test_one_failure_keeps_no_other_run_of_a_submission_from_its_end(cluster):
    """Nor is it made again with those that failed."""
    in_the_way = [cluster.folder / "results/smoke/states" / run for run in RUNS[:2]]
    for place in in_the_way:
        place.parent.mkdir(parents=True)
        place.write_text("of the folder that this training needs")
    done = cluster.snakemake(*command("--retries=0"))
    assert done.returncode != 0
    healthy = cluster.folder / MODELS[2]
    made = made_at(healthy)
    for place in in_the_way:
        place.unlink()
    done = cluster.snakemake(*command())
    assert done.returncode == 0, done.stderr
    assert made_at(healthy) == made


def test_an_edit_does_not_get_into_what_waits_in_the_queue(cluster):
    (cluster.folder / "hold").touch()
    running = start(cluster)
    wait_for(lambda: submissions(cluster))
    cluster.edit("config/scales/smoke.yaml", "width: 0.1", "width: 0.2")
    (cluster.folder / "hold").unlink()
    assert running.wait(timeout=300) != 0
    said = (cluster.folder / "said.txt").read_text()
    assert "its code or values were changed after the workflow was started" in said
    assert not list((cluster.folder / "results/smoke/models").rglob("*.safetensors"))
