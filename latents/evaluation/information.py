"""Plug-in estimates of information between discrete labels, in nats, for many pairs of columns."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr, rel_entr


def discretise(codes: NDArray[np.number], bins: int) -> NDArray[np.int64]:
    """Return the bin of each value of (n, d), 0..bins - 1, of equal width over a column's range.

    Bins are left-closed, the largest value is in the last one. A column that never changes
    falls into one bin.
    """
    columns = np.ascontiguousarray(codes.T, dtype=np.float64)
    labels = [_bin_of_each(column, bins) for column in columns]
    return np.stack(labels, dtype=np.int64).T


def _bin_of_each(column: NDArray[np.float64], bins: int) -> NDArray[np.int16]:
    """Return how many inner edges a value has reached; faster than a search for its bin."""
    inner = np.histogram_bin_edges(column, bins)[1:-1]
    return np.asarray((column >= inner[:, None]).sum(axis=0, dtype=np.int16))


def mutual_information(left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return I(left_i; right_j) of label columns (n, d) and (n, k), as (d, k).

    sum p(a, b) ln(p(a, b) / (p(a) p(b))) over the joint histogram: exactly 0 where a column never
    changes. Labels are integers of a small range, such as indices.
    """
    left, right = (np.ascontiguousarray(_from_zero(labels).T) for labels in (left, right))
    sizes = (right.max(axis=1, initial=0) + 1).tolist()
    return np.stack([_information_with_all(column, right, sizes) for column in left])


def _information_with_all(
    column: NDArray[np.int64], right: NDArray[np.int64], sizes: list[int]
) -> NDArray[np.float64]:
    """Return I(column; right_j) for every j, from their tables of counts side by side."""
    values = int(column.max(initial=0)) + 1
    counts = [
        np.bincount(column * size + other, minlength=values * size).reshape(values, size)
        for other, size in zip(right, sizes, strict=True)
    ]
    table, n = np.hstack(counts), len(column)
    own = np.bincount(column, minlength=values) / n
    terms = rel_entr(table / n, own[:, None] * (table.sum(axis=0) / n))
    return np.add.reduceat(terms.sum(axis=0), np.cumsum([0, *sizes[:-1]]))


def entropy(labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return H of each label column, (n, k) -> (k,)."""
    counts = [np.bincount(column) / len(column) for column in _from_zero(labels).T]
    return np.array([entr(share).sum() for share in counts])


def gap_of_best_two(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest minus the second largest entry of each column of (codes, factors)."""
    ranked = np.sort(strengths, axis=0)
    return np.asarray(ranked[-1] - ranked[-2])


def _from_zero(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(labels - labels.min(axis=0), dtype=np.int64)
