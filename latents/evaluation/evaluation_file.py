"""Evaluations of a model on disk, in HDF5: one group per representation and set."""

import io
import json
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import h5py

from latents.evaluation.evaluation_sets import Evaluation, Pairs, Split, Votes
from latents.runtime.errors import Problem

Set = TypeVar("Set", Split, Pairs, Votes)
SPLIT = "split "


def write_evaluation(
    path: Path, evaluations: dict[str, Evaluation], description: dict[str, Any]
) -> None:
    """Write the evaluations of both representations, with a description of the model."""
    buffer = io.BytesIO()  # written at once below: a full disk then raises a plain OSError
    with h5py.File(buffer, "w") as file:
        file.attrs["description"] = json.dumps(description, sort_keys=True)
        for name, evaluation in evaluations.items():
            for size, split in evaluation.splits.items():
                _write(file, f"{name}/{SPLIT}{size}", split)
            _write(file, f"{name}/pairs", evaluation.pairs)
            _write(file, f"{name}/votes", evaluation.votes)
    path.write_bytes(buffer.getvalue())


def _write(file: h5py.File, group: str, arrays: Split | Pairs | Votes) -> None:
    for field in fields(arrays):
        file.create_dataset(f"{group}/{field.name}", data=vars(arrays)[field.name])


def read_evaluation(path: Path) -> tuple[dict[str, Evaluation], dict[str, Any]]:
    """Return the evaluations of both representations, and the description of the model."""
    try:
        with h5py.File(path) as file:
            description = json.loads(file.attrs["description"])
            return {name: _read_one(group) for name, group in file.items()}, description
    except (OSError, KeyError) as error:
        raise Problem(f"{path} is not a readable evaluation ({error})") from error


def _read_one(group: h5py.Group) -> Evaluation:
    sizes = sorted(int(key.removeprefix(SPLIT)) for key in group if key.startswith(SPLIT))
    return Evaluation(
        splits={size: _read(group[f"{SPLIT}{size}"], Split) for size in sizes},
        pairs=_read(group["pairs"], Pairs),
        votes=_read(group["votes"], Votes),
    )


def _read(group: h5py.Group, kind: type[Set]) -> Set:
    return kind(**{field.name: group[field.name][:] for field in fields(kind)})
