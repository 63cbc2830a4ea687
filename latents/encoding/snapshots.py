"""Correlations between latents at chosen steps of a training.

Only some cells have snapshots: their trainings load this module by name.
"""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from latents.data.batches import ImageSource
from latents.evaluation.covariance import correlation, covariance
from latents.models.training import Training
from latents.models.vae import VAE
from latents.runtime.atomic_files import replacing
from latents.runtime.errors import Problem


class Snapshots:
    """Snapshots of one training, kept in a folder: some may be taken before a kill, some after."""

    def __init__(
        self,
        folder: Path,
        images: ImageSource,
        *,
        steps: list[int],
        examples: int,
        images_seed: int,
    ) -> None:
        self.folder = folder
        self.images = images
        self.steps = steps
        self.examples = examples
        self.images_seed = images_seed

    def take(self, training: Training) -> None:
        """Keep how the mean codes correlate now."""
        found = correlations(
            training.vae, self.images, examples=self.examples, images_seed=self.images_seed
        )
        with replacing(self._file(training.step)) as temporary:
            np.save(temporary, found)

    def table(self) -> pd.DataFrame:
        """Return all snapshots, including those taken before the run was killed and resumed."""
        try:
            return tabulate_snapshots(
                {step: np.load(self._file(step), allow_pickle=False) for step in self.steps}
            )
        except (OSError, ValueError, EOFError) as error:
            for state in self.folder.iterdir():  # otherwise every later attempt would fail too
                state.unlink()
            raise Problem(
                f"a snapshot of this training cannot be read ({error}); "
                "run the same command again to train from the start"
            ) from error

    def _file(self, step: int) -> Path:
        return self.folder / f"step_{step}.npy"


@torch.no_grad()
def correlations(
    vae: VAE, images: ImageSource, *, examples: int, images_seed: int
) -> NDArray[np.float64]:
    """Return the correlation of the mean codes, (d, d), over the same images at every snapshot.

    The model stays in training mode, and no random number of its streams is drawn.
    """
    vae.eval()
    batches = (batch for _, batch in images.draw_examples(images_seed, examples))
    means = torch.cat([vae.encode(batch)[0] for batch in batches]).cpu().numpy()
    vae.train()
    return correlation(covariance(means))


def tabulate_snapshots(snapshots: dict[int, NDArray[np.float64]]) -> pd.DataFrame:
    """Return one row per snapshot and pair of latents, a < b."""
    return pd.DataFrame(
        {"step": step, "a": a, "b": b, "correlation": matrix[a, b]}
        for step, matrix in snapshots.items()
        for a, b in combinations(range(len(matrix)), 2)
    )
