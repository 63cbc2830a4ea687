"""Where an unfinished training keeps what it needs to go on."""

import fcntl
import os
import shutil
from pathlib import Path
from typing import Any

from latents.checkpoint import write_checkpoint
from latents.files import remove, replacing
from latents.problem import Problem
from latents.training import Training, write_state


class StateFolder:
    """`<run's folder>/<key>/`: the key is that of code, values, inputs and kind of device.

    A state that was written under another key is never read, so nothing stale is resumed.
    Snakemake does not know these files; it would delete them when the job is killed.
    """

    def __init__(self, folder: Path, key: str, *, every: int) -> None:
        self.folder = folder / key
        self.state = self.folder / "state.safetensors"
        self.every = every
        self.saved = 0

    def claim(self) -> None:
        """Keep every other process from training this run; drop states of another key."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lease = (self.folder.parent / "lease").open("w")  # held until this process ends
        try:
            fcntl.flock(self.lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Problem(
                "another process is training this very run (left over from a Snakemake that was "
                "killed?); wait for it or stop it, then run the same command again"
            ) from error
        for other in self.folder.parent.iterdir():
            if other.is_dir() and other != self.folder:
                shutil.rmtree(other)

    def save(self, training: Training) -> None:
        """Called after every look at the losses; writes when enough steps have passed."""
        if training.step - self.saved >= self.every:
            write_state(self.state, training)
            self.saved = training.step

    def save_snapshot(self, training: Training, description: dict[str, Any]) -> None:
        with replacing(self.folder / f"step_{training.step}.safetensors") as temporary:
            write_checkpoint(temporary, training.vae.state_dict(), description)

    def copy_snapshots(self, target: Path, steps: list[int]) -> None:
        """All of them: those taken before the run was killed and resumed too."""
        remove(target)
        target.mkdir()
        for name in (f"step_{step}.safetensors" for step in steps):
            try:
                os.link(self.folder / name, target / name)
            except OSError:  # a file system without hard links
                shutil.copyfile(self.folder / name, target / name)

    def clear(self) -> None:
        shutil.rmtree(self.folder.parent, ignore_errors=True)
