"""Folder in which an unfinished training keeps its state and its snapshots."""

import shutil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latents.models.training import Training, write_state
from latents.runtime.atomic_files import remove, replacing
from latents.runtime.errors import Problem


class StateFolder:
    """`<run's folder>/<key>/`; the key depends on code, values, inputs and kind of device.

    A state that was written under another key is never read, so nothing stale is resumed.
    Snakemake does not know these files; it would delete them when the job is killed. Two processes
    never write them at the same time: whoever runs the job holds its lease (`runtime/lease.py`).
    """

    def __init__(self, folder: Path, key: str, *, every: int) -> None:
        self.folder = folder / key
        self.state = self.folder / "state.safetensors"
        self.every = every
        self.saved = 0

    def drop_others(self) -> None:
        """Delete the states of other keys, which are never read again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for other in self.folder.parent.iterdir():
            if other != self.folder:
                remove(other)

    def save(self, training: Training) -> None:
        """Write the state if enough steps have passed since the last one."""
        if training.step - self.saved >= self.every:
            write_state(self.state, training)
            self.saved = training.step

    def save_snapshot(self, step: int, correlations: NDArray[np.float64]) -> None:
        with replacing(self._snapshot(step)) as temporary:
            np.save(temporary, correlations)

    def snapshots(self, steps: list[int]) -> dict[int, NDArray[np.float64]]:
        """Return all snapshots, including those taken before the run was killed and resumed."""
        try:
            return {step: np.load(self._snapshot(step), allow_pickle=False) for step in steps}
        except (OSError, ValueError, EOFError) as error:
            self.clear()  # otherwise every later attempt would fail here too
            raise Problem(
                f"a snapshot of this training cannot be read ({error}); "
                "run the same command again to train from the start"
            ) from error

    def _snapshot(self, step: int) -> Path:
        return self.folder / f"step_{step}.npy"

    def clear(self) -> None:
        shutil.rmtree(self.folder.parent, ignore_errors=True)
