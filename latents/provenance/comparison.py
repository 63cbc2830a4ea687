"""Agreement of two files of one artefact: byte for byte, or number for number."""

import filecmp
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from safetensors import safe_open

IDENTICAL, WITHIN, DIVERGES = "identical", "within tolerance", "diverging"
ROWS = 4096  # of an array that are compared at a time
CARRIED = re.compile(rb"(record\W{1,8})[0-9a-f]{16}")
# In a PNG a checksum of the text follows it.
CARRIED_BY_PNG = re.compile(rb"(record )[0-9a-f]{16}[\s\S]{4}")


@dataclass(frozen=True)
class Agreement:
    verdict: str
    detail: str = ""  # how they differ, and where most


def compare(recorded: Path, rebuilt: Path, tolerance: float) -> Agreement:
    """Compare two files; numbers agree if no difference exceeds `tolerance` times the largest.

    The largest number of the same column, tensor or dataset counts, so that a zero with rounding
    errors is not compared with its own size.
    """
    if not rebuilt.is_file():
        return Agreement(DIVERGES, "it was not made again")
    if filecmp.cmp(recorded, rebuilt, shallow=False):
        return Agreement(IDENTICAL)
    if recorded.suffix in (".csv", ".h5", ".safetensors"):
        with _arrays(recorded) as old, _arrays(rebuilt) as new:
            return _compare_arrays(old, new, tolerance)
    if _without_identifier(recorded) == _without_identifier(rebuilt):
        return Agreement(WITHIN, "the same up to its identifier")
    return Agreement(DIVERGES, "its bytes differ")


def _without_identifier(path: Path) -> bytes:
    """Return the bytes of a file without its identifier, which depends on how it was made."""
    pattern = CARRIED_BY_PNG if path.suffix == ".png" else CARRIED
    return pattern.sub(rb"\1", path.read_bytes())


@contextmanager
def _arrays(path: Path) -> Iterator[dict[str, Any]]:
    """Return the arrays of a file by name; descriptions as texts, without identifiers."""
    if path.suffix == ".csv":
        table = pd.read_csv(path)
        yield {f"column {name}": table[name].to_numpy() for name in table}
    elif path.suffix == ".h5":
        with h5py.File(path) as file:
            found: dict[str, Any] = {}
            file.visititems(lambda name, item: found.update({f"dataset {name}": item}))
            arrays = {name: item for name, item in found.items() if isinstance(item, h5py.Dataset)}
            yield arrays | _texts(dict(file.attrs))
    else:
        with safe_open(path, framework="np") as file:
            tensors = {f"tensor {name}": file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            yield tensors | _texts(file.metadata())


def _texts(attributes: dict[str, Any]) -> dict[str, NDArray[Any]]:
    texts = {name: CARRIED.sub(rb"\1", str(text).encode()) for name, text in attributes.items()}
    return {f"attribute {name}": np.array([text], object) for name, text in texts.items()}


def _compare_arrays(old: dict[str, Any], new: dict[str, Any], tolerance: float) -> Agreement:
    if other := sorted(set(old) ^ set(new)):
        return Agreement(DIVERGES, f"{other[0]} is in one of them only")
    for name in old:
        if old[name].shape != new[name].shape:
            return Agreement(DIVERGES, f"{name} is {old[name].shape}, then {new[name].shape}")
    shares = {name: _largest_difference(old[name], new[name]) for name in old}
    name, (share, gap) = max(shares.items(), key=lambda item: item[1])
    if share <= tolerance:
        return Agreement(WITHIN, f"{name} differs by up to {gap:.2g}, {share:.1g} of its largest")
    how = "differs" if gap == np.inf else f"differs by up to {gap:.2g}, {share:.2g} of its largest"
    return Agreement(DIVERGES, f"{name} {how} (tolerance {tolerance:g})")


def _largest_difference(old: Any, new: Any) -> tuple[float, float]:
    """Return the largest difference, relative and absolute; infinite for unequal texts."""
    if old.shape == ():
        old, new = np.asarray(old)[None], np.asarray(new)[None]
    gap, size = 0.0, 0.0
    for start in range(0, len(old), ROWS):
        a, b = old[start : start + ROWS], new[start : start + ROWS]
        if not all(block.dtype.kind in "biuf" for block in (a, b)):
            same = (a == b) | (pd.isna(a) & pd.isna(b))
            gap = max(gap, 0.0 if np.all(same) else np.inf)
            continue
        gap = max(gap, _gap(a.astype(float), b.astype(float)))
        size = max(size, float(np.max(np.abs(a), initial=0, where=np.isfinite(a))))
    if size:
        return gap / size, gap
    return (np.inf if gap else 0.0), gap


def _gap(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return the largest distance; equal values have none, missing numbers an infinite one."""
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    distance = np.abs(np.subtract(a, b, where=~same, out=np.zeros_like(a)))
    return float(np.max(np.where(np.isnan(distance), np.inf, distance), initial=0))
