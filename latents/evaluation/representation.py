"""Representations of a model on disk: what the encoder gives for some images, in HDF5.

Torch ends here: all that follows takes these five arrays, from whatever framework.
"""

import io
import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from latents.runtime.errors import Problem


@dataclass(frozen=True)
class Representation:
    """n examples, d latents, k ground-truth factors."""

    mean: NDArray[np.float32]  # (n, d) posterior means
    variance: NDArray[np.float32]  # (n, d) posterior variances (not standard deviations)
    sampled: NDArray[np.float32]  # (n, d) one posterior sample per example
    factors: NDArray[np.int64]  # (n, k) ground truth
    indices: NDArray[np.int64]  # (n,) which images of the dataset

    def codes(self, which: str) -> NDArray[np.float32]:
        """Return the `mean` or the `sampled` representation."""
        return {"mean": self.mean, "sampled": self.sampled}[which]


def write_representation(
    path: Path, representation: Representation, description: dict[str, Any]
) -> None:
    """Write a representation; `description` names the model and the data, as canonical JSON."""
    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        for array in fields(representation):
            file.create_dataset(array.name, data=vars(representation)[array.name])
        file.attrs["description"] = json.dumps(description, sort_keys=True)
    path.write_bytes(buffer.getvalue())


def read_representation(path: Path) -> tuple[Representation, dict[str, Any]]:
    """Return a representation and its description."""
    try:
        with h5py.File(path) as file:
            arrays = {array.name: file[array.name][:] for array in fields(Representation)}
            description = json.loads(file.attrs["description"])
    except (OSError, KeyError) as error:
        raise Problem(f"{path} is not a readable representation ({error})") from error
    return Representation(**arrays), description
