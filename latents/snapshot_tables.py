"""Correlations during training: which run is shown, and every pair seen from both sides."""

from typing import Any

import pandas as pd

from latents.figure_inputs import Inputs

RUN = ["cell", "strength", "seed"]


def chosen_run(inputs: Inputs) -> tuple[dict[str, Any], list[str], pd.DataFrame]:
    """The lowest seed with passive and active variables at the end, or else the lowest seed."""
    types = {
        key: runs.sort_values("latent")["type"].tolist()
        for key, runs in inputs.variables.groupby(RUN)
    }
    fitting = [key for key, kinds in types.items() if {"active", "passive"} <= set(kinds)]
    chosen = min(fitting or types)
    run: dict[str, Any] = dict(zip(RUN, chosen, strict=True))
    mine = inputs.snapshots
    for column, value in run.items():
        mine = mine[mine[column] == value]
    return {"source": inputs.variables["source"].iloc[0], **run}, types[chosen], mine


def with_both_sides(pairs: pd.DataFrame) -> pd.DataFrame:
    """Rows (step, latent, other, correlation): each pair from both of its latents."""
    columns = {"a": "latent", "b": "other"}
    there = pairs.rename(columns=columns)
    back = pairs.rename(columns={"b": "latent", "a": "other"})
    return pd.concat([there, back])[["step", "latent", "other", "correlation"]]
