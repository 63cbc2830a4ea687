"""Inputs of figures: tables of cells, and representations of single models."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from latents.evaluation.representation import Representation, read_representation
from latents.evaluation.variable_types import classify
from latents.runtime.errors import Problem

# The input rows that a point of a figure depends on: a kind of input, and values of its columns.
Makers = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Model:
    """One trained model of a cell: its run, the types of its latents, and its representation."""

    about: dict[str, Any]  # its run, the source of its images, and why it was chosen
    types: list[str]
    representation: Representation

    def first(self, kind: str) -> int | None:
        """Return the lowest latent of a type, or None."""
        return self.types.index(kind) if kind in self.types else None


@dataclass(frozen=True)
class Inputs:
    """The inputs that a plot names in INPUTS; the others are empty."""

    scores: pd.DataFrame = field(default_factory=pd.DataFrame)
    variables: pd.DataFrame = field(default_factory=pd.DataFrame)
    snapshots: pd.DataFrame = field(default_factory=pd.DataFrame)
    representations: list[tuple[dict[str, Any], Path]] = field(default_factory=list)
    tolerance: float = 0.1

    def choose_model(self, wanted: tuple[str, ...]) -> Model:
        """Return the model that a figure of one model shows."""
        types = [
            classify(read_representation(path)[0].variance, self.tolerance)
            for _, path in self.representations
        ]
        chosen, choice = choose_run([run["seed"] for run, _ in self.representations], types, wanted)
        run, path = self.representations[chosen]
        representation, description = read_representation(path)
        about = {"source": description["source"], "choice": choice, **run}
        return Model(about, types[chosen], representation)


def choose_run(
    seeds: list[int], types: list[list[str]], wanted: tuple[str, ...]
) -> tuple[int, str]:
    """Return which run a figure of one model shows, and a sentence that says why.

    The papers do not say which seed they show. Ours is the lowest one that has a variable of
    every wanted type; if none has, the lowest one that has the most of them.
    """
    if not seeds:
        raise Problem("there is no model to show")
    present = [len(set(wanted) & set(kinds)) for kinds in types]
    chosen = min(range(len(seeds)), key=lambda run: (-present[run], seeds[run]))
    all_of_them = enumerated(wanted)
    missing = [kind for kind in wanted if kind not in types[chosen]]
    if not missing:
        why = f"the lowest one with {all_of_them} variables"
    elif len(seeds) == 1:
        why = f"the only one; it has no {' and no '.join(missing)} variable"
    else:
        why = (
            f"without {enumerated(missing)} variables: none of {len(seeds)} seeds has "
            f"{all_of_them} ones, and this is the lowest with the most of these types"
        )
    return chosen, f"Shown is seed {seeds[chosen]}, {why}."


def enumerated(words: Sequence[str]) -> str:
    """Return `a`, `a and b`, or `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def average(values: pd.Series) -> dict[str, Any]:
    """Return mean, standard error and number of the seeds that have a value."""
    present = values.dropna()
    return {"mean": present.mean(), "standard_error": present.sem(), "seeds": len(present)}
