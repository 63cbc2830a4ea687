"""User representations: read from HDF5, npz or CSV, and checked field by field.

`mean` and `variance` (or `logvar`), each (n, d); optionally `sampled`, (n, d), and `factors`,
(n, k). In a CSV, columns `mean_1 … mean_d`, `variance_1 …` or `logvar_1 …`, `sampled_1 …`; any
other column is a factor.
"""

import re
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import h5py
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from latents.evaluation.representation import Representation
from latents.runtime.errors import Problem

FIELDS = ("mean", "variance", "logvar", "sampled")
FEWEST_EXAMPLES = 50
MOST_VALUES = 0.5  # a factor with more values than this share of the examples is continuous
NOISE_SEED = 0
Arrays = dict[str, Any]
UNREADABLE = (
    OSError, ValueError, EOFError, KeyError, TypeError, AttributeError, BadZipFile
)  # fmt: skip


def read_own(path: Path) -> tuple[Representation, tuple[str, ...], list[str]]:
    """Return the representation, the names of its factors, and notes for the reader."""
    arrays, names = _read(path)
    _refuse(path, arrays)
    mean = _numbers(path, arrays, "mean")
    variance = _variance(path, arrays)
    notes = []
    if "sampled" in arrays:
        sampled = _numbers(path, arrays, "sampled")
    else:
        noise = np.random.RandomState(NOISE_SEED).standard_normal(mean.shape)
        sampled = mean + np.sqrt(variance) * noise
        notes.append("sampled was not given: one sample per example was drawn from the posterior")
    factors, kept, left_out = _factors(path, arrays.get("factors"), names, len(mean))
    notes += left_out
    constant = [str(j) for j in range(mean.shape[1]) if np.ptp(mean[:, j]) == 0]
    if constant:
        notes.append(f"the mean of latent {', '.join(constant)} never changes")
    representation = Representation(
        mean=mean.astype(np.float32),
        variance=variance.astype(np.float32),
        sampled=sampled.astype(np.float32),
        factors=factors,
        indices=np.arange(len(mean)),
    )
    return representation, kept, notes


def _read(path: Path) -> tuple[Arrays, list[str]]:
    readers = {".npz": _read_npz, ".h5": _read_hdf5, ".hdf5": _read_hdf5, ".csv": _read_csv}
    if path.suffix.lower() not in readers:
        raise Problem(f"{path}: a representation is one of {', '.join(readers)}")
    try:
        return readers[path.suffix.lower()](path)
    except UNREADABLE as error:
        raise Problem(f"{path} is not a readable {path.suffix} file ({error})") from error


def _read_npz(path: Path) -> tuple[Arrays, list[str]]:
    with np.load(path, allow_pickle=False) as file:
        return {key: file[key] for key in file if key in (*FIELDS, "factors")}, []


def _read_hdf5(path: Path) -> tuple[Arrays, list[str]]:
    with h5py.File(path) as file:
        arrays = {key: file[key][:] for key in (*FIELDS, "factors") if key in file}
        named = file["factors"].attrs.get("names", []) if "factors" in file else []
        return arrays, [str(name) for name in named]


def _read_csv(path: Path) -> tuple[Arrays, list[str]]:
    table = pd.read_csv(path)
    places = [(column, re.fullmatch(r"([a-z]+)_(\d+)", str(column))) for column in table]
    ours = {column: (m[1], int(m[2])) for column, m in places if m and m[1] in FIELDS}
    arrays: Arrays = {}
    numbers = None
    for field in FIELDS:
        columns = sorted((n, column) for column, (f, n) in ours.items() if f == field)
        if columns:
            suffixes = [n for n, _ in columns]
            if numbers not in (None, suffixes):
                raise ValueError(f"{field} has columns {suffixes}, but another field has {numbers}")
            numbers = suffixes
            arrays[field] = table[[column for _, column in columns]].to_numpy()
    names = [str(column) for column in table if column not in ours]
    if names:
        arrays["factors"] = table[names].to_numpy()
    return arrays, names


def _refuse(path: Path, arrays: Arrays) -> None:
    """Raise a Problem if a field is missing or has the wrong shape."""
    if "mean" not in arrays:
        raise Problem(f"{path} has no field mean")
    if "variance" not in arrays and "logvar" not in arrays:
        raise Problem(f"{path} has neither variance nor logvar")
    shape = arrays["mean"].shape
    if len(shape) != 2 or shape[0] < FEWEST_EXAMPLES or shape[1] < 1:
        raise Problem(
            f"{path}: mean is of {shape}, not (examples, latents) with at least {FEWEST_EXAMPLES} "
            "examples"
        )
    for field in FIELDS:
        if field in arrays and arrays[field].shape != shape:
            raise Problem(f"{path}: {field} is of {arrays[field].shape}, but mean of {shape}")


def _numbers(path: Path, arrays: Arrays, field: str) -> NDArray[np.float64]:
    try:
        if arrays[field].dtype.kind == "c":
            raise ValueError("complex numbers")
        values = arrays[field].astype(np.float64)
    except ValueError as error:
        raise Problem(f"{path}: {field} holds something other than numbers ({error})") from error
    with np.errstate(over="ignore"):  # values too large for float32 count as not finite
        bad = np.argwhere(~np.isfinite(values.astype(np.float32)))
    if len(bad):
        row, latent = bad[0]
        raise Problem(
            f"{path}: {field} has {len(bad)} values that are not finite numbers, the first in "
            f"example {row}, latent {latent} (counted from 0)"
        )
    return np.asarray(values)


def _variance(path: Path, arrays: Arrays) -> NDArray[np.float64]:
    if "variance" not in arrays:
        with np.errstate(over="ignore"):
            arrays = {"variance": np.exp(_numbers(path, arrays, "logvar"))}
    variance = _numbers(path, arrays, "variance")
    if (variance < 0).any():
        row, latent = np.argwhere(variance < 0)[0]
        raise Problem(
            f"{path}: variance is negative in example {row}, latent {latent} (counted from 0); "
            "is it logvar?"
        )
    return variance


def _factors(
    path: Path, values: Any, names: list[str], examples: int
) -> tuple[NDArray[np.int64], tuple[str, ...], list[str]]:
    """Return numbered values, names, and notes; constant or continuous factors are left out."""
    if values is None:
        return np.zeros((examples, 0), np.int64), (), ["factors were not given"]
    values = values[:, None] if values.ndim == 1 else values
    if values.ndim != 2 or len(values) != examples:
        raise Problem(f"{path}: factors is of {values.shape}, but there are {examples} examples")
    names = names or [f"factor {i + 1}" for i in range(values.shape[1])]
    if len(names) != values.shape[1]:
        raise Problem(f"{path}: {len(names)} names for {values.shape[1]} factors")
    kept, columns, notes = [], [], []
    for name, column in zip(names, values.T, strict=True):
        if pd.isna(column).any():
            raise Problem(f"{path}: the factor {name} has empty or NaN values")
        codes = np.unique(column, return_inverse=True)[1].astype(np.int64)
        count = int(codes.max()) + 1
        if 1 < count <= MOST_VALUES * examples:
            kept.append(name)
            columns.append(codes)
        else:
            why = "never changes" if count == 1 else f"has {count} values, so it looks continuous"
            notes.append(f"the factor {name} was left out: it {why}")
    stacked = np.stack(columns, axis=1) if columns else np.zeros((examples, 0), np.int64)
    return stacked, tuple(kept), notes
