"""Where an unfinished training keeps what it needs to go on."""

import shutil
from pathlib import Path
from typing import Any

from latents.checkpoint import write_checkpoint
from latents.files import replacing
from latents.training import Training, write_state


class StateFolder:
    """`<run's folder>/<key>/`: the key is that of code, values and inputs.

    A state that was written under another key is never read, so nothing stale is resumed.
    Snakemake does not know these files; it would delete them when the job is killed.
    """

    def __init__(self, folder: Path, key: str, *, every: int) -> None:
        self.folder = folder / key
        self.state = self.folder / "state.safetensors"
        self.every = every
        self.saved = 0

    def save(self, training: Training) -> None:
        """Called after every look at the losses; writes when enough steps have passed."""
        if training.step - self.saved >= self.every:
            write_state(self.state, training)
            self.saved = training.step

    def save_snapshot(self, training: Training, description: dict[str, Any]) -> None:
        with replacing(self.folder / f"step_{training.step}.safetensors") as temporary:
            write_checkpoint(temporary, training.vae.state_dict(), description)

    def move_snapshots(self, target: Path) -> None:
        target.mkdir(parents=True)
        for path in self.folder.glob("step_*.safetensors"):
            path.replace(target / path.name)

    def drop_others(self) -> None:
        """States of the same run under another key: code or values have changed since."""
        for other in self.folder.parent.glob("*"):
            if other != self.folder:
                shutil.rmtree(other)

    def clear(self) -> None:
        shutil.rmtree(self.folder.parent, ignore_errors=True)
