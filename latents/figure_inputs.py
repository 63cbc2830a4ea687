"""What figures are drawn from: tables of cells, and representations of single models."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from latents.problem import Problem
from latents.representation import Representation, read_representation
from latents.variables import TYPES, classify

# Which rows of which input made a point of a figure: a kind of input, and what columns must be.
Makers = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Model:
    """One trained model of a cell: its run, the types of its latents, and its representation."""

    run: dict[str, Any]
    types: list[str]
    representation: Representation

    def first(self, kind: str) -> int | None:
        """Lowest latent of a type."""
        return self.types.index(kind) if kind in self.types else None


@dataclass(frozen=True)
class Inputs:
    """Whatever a plot asked for; the rest is empty."""

    scores: pd.DataFrame = field(default_factory=pd.DataFrame)
    variables: pd.DataFrame = field(default_factory=pd.DataFrame)
    snapshots: pd.DataFrame = field(default_factory=pd.DataFrame)
    representations: list[tuple[dict[str, Any], Path]] = field(default_factory=list)
    tolerance: float = 0.1

    def choose_model(self, wanted: tuple[str, ...] = TYPES) -> tuple[Model, str]:
        """The model a figure of one model shows, and the source of its images.

        The papers do not say which seed they show. Ours is the lowest one that has a variable of
        every wanted type; where none has, the lowest one that has the most of them.
        """
        best, source, most = None, "", -1
        for run, path in self.representations:
            representation, description = read_representation(path)
            types = classify(representation.variance, self.tolerance)
            present = len(set(types) & set(wanted))
            if present > most:
                best, source, most = (
                    Model(run, types, representation),
                    description["source"],
                    present,
                )
        if best is None:
            raise Problem("there is no model to show")
        return best, source


def average(values: pd.Series) -> dict[str, Any]:
    """Mean, standard error and number of the seeds that have a value."""
    there = values.dropna()
    return {"mean": there.mean(), "standard_error": there.sem(), "seeds": len(there)}
