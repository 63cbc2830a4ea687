"""What the metrics with ground truth learn from and are tested on.

Made once per model, whatever the metric; a combination of variables is a choice of code columns.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Split:
    """Codes and factors to learn from, and others to be tested on."""

    train_codes: NDArray[np.floating]  # (n, d)
    train_factors: NDArray[np.int64]  # (n, k)
    test_codes: NDArray[np.floating]  # (m, d)
    test_factors: NDArray[np.int64]  # (m, k)

    def of(self, chosen: list[int]) -> Self:
        """The same examples with the chosen code columns only."""
        return replace(
            self, train_codes=self.train_codes[:, chosen], test_codes=self.test_codes[:, chosen]
        )


@dataclass(frozen=True)
class Pairs:
    """BetaVAE score: mean |difference| of the codes of pairs that share one factor, and which."""

    train_features: NDArray[np.floating]  # (p, d)
    train_labels: NDArray[np.int64]  # (p,)
    test_features: NDArray[np.floating]
    test_labels: NDArray[np.int64]

    def of(self, chosen: list[int]) -> Self:
        """The same pairs with the chosen code columns only."""
        return replace(
            self,
            train_features=self.train_features[:, chosen],
            test_features=self.test_features[:, chosen],
        )


@dataclass(frozen=True)
class Votes:
    """FactorVAE score: variances of codes in batches that share one factor, and which one."""

    global_variances: NDArray[np.floating]  # (d,) ddof=1
    train_variances: NDArray[np.floating]  # (p, d) ddof=1, not yet divided by the global ones
    train_labels: NDArray[np.int64]
    test_variances: NDArray[np.floating]
    test_labels: NDArray[np.int64]

    def of(self, chosen: list[int]) -> Self:
        """The same batches with the chosen code columns only."""
        return replace(
            self,
            global_variances=self.global_variances[chosen],
            train_variances=self.train_variances[:, chosen],
            test_variances=self.test_variances[:, chosen],
        )


@dataclass(frozen=True)
class Evaluation:
    """Everything drawn of one representation of a model."""

    splits: dict[int, Split]  # by the number of examples to learn from
    pairs: Pairs
    votes: Votes

    @property
    def largest(self) -> Split:
        return self.splits[max(self.splits)]
