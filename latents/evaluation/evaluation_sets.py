"""Training and test sets of the metrics with ground truth.

They are drawn once per model, for all metrics; a combination of variables is a choice of code
columns.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Split:
    """Codes and factors of training examples and of test examples."""

    train_codes: NDArray[np.floating]  # (n, d)
    train_factors: NDArray[np.int64]  # (n, k)
    test_codes: NDArray[np.floating]  # (m, d)
    test_factors: NDArray[np.int64]  # (m, k)

    def select(self, chosen: list[int]) -> Self:
        """Return the same examples with the chosen code columns only."""
        return replace(
            self, train_codes=self.train_codes[:, chosen], test_codes=self.test_codes[:, chosen]
        )


@dataclass(frozen=True)
class Pairs:
    """For the BetaVAE score: mean |difference| of codes of pairs, and the factor they share."""

    train_features: NDArray[np.floating]  # (p, d)
    train_labels: NDArray[np.int64]  # (p,)
    test_features: NDArray[np.floating]
    test_labels: NDArray[np.int64]

    def select(self, chosen: list[int]) -> Self:
        """Return the same pairs with the chosen code columns only."""
        return replace(
            self,
            train_features=self.train_features[:, chosen],
            test_features=self.test_features[:, chosen],
        )


@dataclass(frozen=True)
class Votes:
    """For the FactorVAE score: variances of codes in batches, and the factor they share."""

    global_variances: NDArray[np.floating]  # (d,) ddof=1
    train_variances: NDArray[np.floating]  # (p, d) ddof=1, not yet divided by the global ones
    train_labels: NDArray[np.int64]
    test_variances: NDArray[np.floating]
    test_labels: NDArray[np.int64]

    def select(self, chosen: list[int]) -> Self:
        """Return the same batches with the chosen code columns only."""
        return replace(
            self,
            global_variances=self.global_variances[chosen],
            train_variances=self.train_variances[:, chosen],
            test_variances=self.test_variances[:, chosen],
        )


@dataclass(frozen=True)
class Evaluation:
    """All sets drawn for one representation of a model."""

    splits: dict[int, Split]  # by the number of examples to learn from
    pairs: Pairs
    votes: Votes

    @property
    def largest(self) -> Split:
        """Return the split with the most training examples."""
        return self.splits[max(self.splits)]
