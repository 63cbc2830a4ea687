"""Types of latent variables (active, mixed, passive), and the sets of variables that are scored.

Rule of Bonheme and Grzes (2023), section 4.1, as their code applies it: from the variance
representation alone, with a_j the mean and v_j the population variance of sigma_j over the data.
"""

import numpy as np
from numpy.typing import NDArray

TYPES = ("active", "mixed", "passive")
COMBINATIONS: dict[str, tuple[str, ...]] = {
    "full": TYPES,
    "active": ("active",),
    "mixed": ("mixed",),
    "passive": ("passive",),
    "active_mixed": ("active", "mixed"),
    "active_passive": ("active", "passive"),
    "mixed_passive": ("mixed", "passive"),
}


def classify(variance: NDArray[np.floating], alpha: float) -> list[str]:
    """Return the type of each latent, from its variance over the data, (n, d) -> d names.

    passive: v < alpha and 1 - alpha <= a <= 1 + alpha; active: v < alpha and a <= alpha;
    mixed: everything else, so that the three sets partition the latents.
    """
    a, v = summarise(variance)
    steady = v < alpha
    passive = steady & (a >= 1 - alpha) & (a <= 1 + alpha)
    active = steady & (a <= alpha)
    kinds: list[str] = np.where(passive, "passive", np.where(active, "active", "mixed")).tolist()
    return kinds


def summarise(variance: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean and population variance of each latent's posterior variance, each (d,)."""
    variance = variance.astype(np.float64)
    return variance.mean(axis=0), variance.var(axis=0)


def combine(types: list[str], pairs: str) -> dict[str, list[int]]:
    """Return the indices of the variables in each combination; an empty list if there are none.

    `pairs` says when a two-type combination exists: `any` takes the union of both types, so
    that `active_mixed` is always "all but the passive ones"; `both` is the reference's stricter
    rule, by which it exists only if neither type is empty.
    """
    sets = {name: [j for j, t in enumerate(types) if t in of] for name, of in COMBINATIONS.items()}
    if pairs == "both":
        for name, of in COMBINATIONS.items():
            if len(of) == 2 and not all(kind in types for kind in of):
                sets[name] = []
    return sets
