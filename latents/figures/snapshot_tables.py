"""Tables of correlations during training: the run that is shown, and all pairs in both orders."""

from typing import Any

import pandas as pd

from latents.figures.inputs import Inputs

RUN = ["cell", "strength", "seed"]


def chosen_run(inputs: Inputs) -> tuple[dict[str, Any], list[str], pd.DataFrame]:
    """Choose the lowest seed with passive and active variables at the end, or the lowest seed."""
    types = {
        key: runs.sort_values("latent")["type"].tolist()
        for key, runs in inputs.variables.groupby(RUN)
    }
    fitting = [key for key, kinds in types.items() if {"active", "passive"} <= set(kinds)]
    chosen = min(fitting or types)
    run: dict[str, Any] = dict(zip(RUN, chosen, strict=True))
    snapshots = inputs.snapshots
    for column, value in run.items():
        snapshots = snapshots[snapshots[column] == value]
    return {"source": inputs.variables["source"].iloc[0], **run}, types[chosen], snapshots


def with_both_sides(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return rows (step, latent, other, correlation), with each pair in both orders."""
    forth = pairs.rename(columns={"a": "latent", "b": "other"})
    back = pairs.rename(columns={"b": "latent", "a": "other"})
    return pd.concat([forth, back])[["step", "latent", "other", "correlation"]]
