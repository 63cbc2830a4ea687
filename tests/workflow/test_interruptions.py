"""Killed jobs, killed Snakemakes, two at once, another machine: the same command goes on.

After each of them the artefacts have the same bytes as those of an undisturbed run.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from latents.runtime.record import record_path
from tests.workflow.clones import Clone, copy_of_project, made_at, wait_for

RUN = "dsprites_dip_vae_ii/strength_5/seed_0"
MODEL = f"results/smoke/models/{RUN}/model.safetensors"
HISTORY = f"results/smoke/models/{RUN}/history.csv"
CODES = f"results/smoke/representations/{RUN}.h5"
LOG = f"results/smoke/logs/train_model/{RUN}.log"
LONG = ("scale=smoke", "seeds=1", "steps=700", "state_every=7")
OPTIONS = ("--cores", "1", "--config", *LONG)
COMMAND = (CODES, *OPTIONS)
MAKE = (CODES, "CORES=1", "CONFIG=--config " + " ".join(LONG))


@pytest.fixture(scope="module")
def undisturbed(built: Clone, tmp_path_factory) -> dict[str, bytes]:
    """What a run that nothing happens to makes."""
    clone = copy_of_project(tmp_path_factory.mktemp("undisturbed") / "project")
    shutil.copytree(built.folder / "results/datasets", clone.folder / "results/datasets")
    clone.build(*LONG, targets=(CODES,))
    return {name: (clone.folder / name).read_bytes() for name in (MODEL, HISTORY, CODES)}


def check(clone: Clone, undisturbed: dict[str, bytes]) -> None:
    """The same bytes, and nothing left over."""
    assert {name: (clone.folder / name).read_bytes() for name in undisturbed} == undisturbed
    hidden = [p for p in (clone.folder / "results").rglob(".*") if p.is_file()]
    assert not hidden + list((clone.folder / "results/smoke/states").rglob("*.safetensors"))


def start(clone: Clone, *command: str) -> subprocess.Popen:
    """Snakemake in a process group of its own, so that a test can kill all of it or a part.

    Processes that a shell starts in the background ignore Ctrl-C; this one must not.
    """
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", *(command or COMMAND)],
        cwd=clone.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def state_of(clone: Clone) -> Path:
    """The resume state of the running training, as soon as there is one."""
    states = clone.folder / "results/smoke/states"
    return wait_for(lambda: next(states.rglob("state.safetensors"), None))


def training_of(clone: Clone) -> int:
    """Process number of the running training of this clone, as soon as it has a state."""
    state_of(clone)
    pattern = f"^[^ ]*python[^ ]* {clone.folder}/scripts/train_model.py"
    found = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True)
    return int(found.stdout.split()[0])


def log_of(clone: Clone) -> str:
    return (clone.folder / LOG).read_text() if (clone.folder / LOG).exists() else ""


def resumed_at(clone: Clone) -> int:
    return int(re.search(r"resumed from step (\d+)", log_of(clone)).group(1))


@pytest.mark.parametrize(
    ("which", "said"),
    [
        (signal.SIGKILL, "a job was ended before it could say why: killed, or out of memory"),
        (signal.SIGTERM, "train_model: stopped by a signal; run the same command again"),
    ],
)
def test_a_killed_training_resumes(which, said, unbuilt, undisturbed):
    running = start(unbuilt)
    os.kill(training_of(unbuilt), which)
    words, _ = running.communicate()
    assert running.returncode != 0
    assert said in words.partition("What went wrong:")[2]
    assert not (unbuilt.folder / MODEL).exists()
    assert unbuilt.make(*MAKE).returncode == 0
    assert 0 < resumed_at(unbuilt) < 700
    check(unbuilt, undisturbed)


def test_a_training_without_memory_says_so_and_goes_on_where_there_is_more(unbuilt, undisturbed):
    limit = "import psutil, resource; n = psutil.Process().memory_info().vms + 2**20; "
    limit += "resource.setrlimit(resource.RLIMIT_AS, (n, n)); torch.zeros(2**28)"
    call = "    train(training, plan, data"
    unbuilt.edit("scripts/train_model.py", call, f"    {limit}\n{call}")
    done = unbuilt.snakemake(*COMMAND)
    assert done.returncode != 0
    last_words = done.stderr.partition("What went wrong:")[2]
    assert f"train_model: out of memory while making {MODEL}" in last_words
    assert "Traceback" not in done.stdout + done.stderr
    unbuilt.edit("scripts/train_model.py", f"    {limit}\n{call}", call)
    unbuilt.build(*LONG, targets=(CODES,))
    check(unbuilt, undisturbed)


def test_ctrl_c_leaves_no_lock_and_the_same_command_goes_on(unbuilt, undisturbed):
    running = start(unbuilt)
    state_of(unbuilt)
    os.killpg(running.pid, signal.SIGINT)
    running.communicate()
    assert running.returncode != 0
    unbuilt.build(*LONG, targets=(CODES,))
    assert 0 < resumed_at(unbuilt) < 700
    check(unbuilt, undisturbed)


def test_a_power_cut_needs_the_one_command_that_snakemake_names(unbuilt, undisturbed):
    running = start(unbuilt)
    state = state_of(unbuilt)
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate()
    state.write_bytes(state.read_bytes()[:5000])
    refused = unbuilt.snakemake(*COMMAND)
    assert refused.returncode != 0
    assert "removed with the --unlock argument" in refused.stderr
    assert unbuilt.snakemake(*COMMAND, "--unlock").returncode == 0
    unbuilt.build(*LONG, targets=(CODES,))
    assert "starting again from step 0, because" in log_of(unbuilt)
    check(unbuilt, undisturbed)


def test_make_waits_for_a_training_that_outlived_its_snakemake(unbuilt, undisturbed):
    running = start(unbuilt)
    training = training_of(unbuilt)
    os.kill(training, signal.SIGSTOP)  # so that it cannot end before it is found
    running.kill()
    running.wait()
    again = subprocess.Popen(
        ["make", f"BIN={Path(sys.executable).parent}", "READY=pyproject.toml", *MAKE],
        cwd=unbuilt.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    wait_for(lambda: f"waiting: process {training} on" in log_of(unbuilt))
    os.kill(training, signal.SIGCONT)
    words, _ = again.communicate()
    assert again.returncode == 0, words
    assert "is dead; unlocking" in words
    assert f"train_model: nothing to do, {MODEL} is what this job makes" in words
    check(unbuilt, undisturbed)


def test_what_a_training_without_its_snakemake_finished_is_kept(unbuilt, undisturbed):
    running = start(unbuilt)
    training_of(unbuilt)
    running.kill()
    running.wait()
    model = unbuilt.folder / MODEL
    wait_for(record_path(model).exists)
    made = made_at(model)
    done = unbuilt.make(*MAKE)
    assert done.returncode == 0, done.stderr
    assert made_at(model) == made, "it was trained twice"
    check(unbuilt, undisturbed)


def test_two_snakemakes_at_once(unbuilt, undisturbed):
    """The second is refused; one that ignores the lock waits for the first one's training."""
    first = start(unbuilt, MODEL, *OPTIONS)
    training = training_of(unbuilt)
    os.kill(training, signal.SIGSTOP)
    refused = unbuilt.make(*MAKE)
    assert refused.returncode != 0
    assert "cannot be locked" in refused.stderr
    second = start(unbuilt, MODEL, *OPTIONS, "--nolock")
    wait_for(lambda: f"waiting: process {training} on" in log_of(unbuilt))
    os.kill(training, signal.SIGCONT)
    words = [running.communicate()[0] for running in (second, first)]
    assert [second.returncode, first.returncode] == [0, 0], words
    check(unbuilt, {name: undisturbed[name] for name in (MODEL, HISTORY)})


def test_a_training_goes_on_elsewhere(unbuilt, undisturbed, tmp_path):
    """In a copy of the folder, while the lease still names the machine that broke down."""
    running = start(unbuilt)
    state_of(unbuilt)
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate()
    moved = Clone(tmp_path / "elsewhere")
    shutil.move(unbuilt.folder, moved.folder)
    shutil.rmtree(moved.folder / ".snakemake")
    lease = moved.folder / Path(MODEL).parent / ".lease.model.safetensors"
    lease.write_text(json.dumps({**json.loads(lease.read_text()), "host": "broken-down"}))
    moved.edit("latents/runtime/lease.py", "PATIENCE = 8 * RENEWAL", "PATIENCE = 1.0")
    moved.build(*LONG, targets=(CODES,))
    assert "on broken-down is at this very job" in log_of(moved)
    assert 0 < resumed_at(moved) < 700
    check(moved, undisturbed)


def test_a_state_of_another_loss_is_not_resumed(unbuilt):
    running = start(unbuilt)
    os.kill(training_of(unbuilt), signal.SIGKILL)
    running.communicate()
    unbuilt.edit("latents/models/objectives/dip_vae.py", "+ kl + penalty", "+ kl + 2 * penalty")
    text = unbuilt.build(*LONG, targets=(MODEL,))
    assert "resumed from step" not in text
