"""Inputs of figures: tables of cells, and representations of single models."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from latents.evaluation.representation import Representation, read_representation
from latents.evaluation.variable_types import TYPES, classify
from latents.runtime.errors import Problem

# The input rows that a point of a figure depends on: a kind of input, and values of its columns.
Makers = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Model:
    """One trained model of a cell: its run, the types of its latents, and its representation."""

    run: dict[str, Any]
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

    def choose_model(self, wanted: tuple[str, ...] = TYPES) -> tuple[Model, str]:
        """Return the model that a figure of one model shows, and the source of its images.

        The papers do not say which seed they show. Ours is the lowest one that has a variable of
        every wanted type; if none has, the lowest one that has the most of them.
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
    """Return mean, standard error and number of the seeds that have a value."""
    present = values.dropna()
    return {"mean": present.mean(), "standard_error": present.sem(), "seeds": len(present)}
