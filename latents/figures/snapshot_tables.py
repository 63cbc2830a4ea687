"""Tables of correlations during training: the run that is shown, and all pairs in both orders."""

from typing import Any

import pandas as pd

from latents.figures.inputs import Inputs, choose_run

RUN = ["cell", "strength", "seed"]


def chosen_run(inputs: Inputs) -> tuple[dict[str, Any], list[str], pd.DataFrame]:
    """Choose a run by the types of its variables at the end of training."""
    tables = inputs.variables.sort_values([*RUN, "latent"]).groupby(RUN)
    runs = [dict(zip(RUN, key, strict=True)) for key in tables.groups]
    types = [kinds.tolist() for _, kinds in tables["type"]]
    chosen, choice = choose_run([run["seed"] for run in runs], types, ("active", "passive"))
    snapshots = inputs.snapshots
    for column, value in runs[chosen].items():
        snapshots = snapshots[snapshots[column] == value]
    source = inputs.variables["source"].iloc[0]
    return {"source": source, "choice": choice, **runs[chosen]}, types[chosen], snapshots


def with_both_sides(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return rows (step, latent, other, correlation), with each pair in both orders."""
    forth = pairs.rename(columns={"a": "latent", "b": "other"})
    back = pairs.rename(columns={"b": "latent", "a": "other"})
    return pd.concat([forth, back])[["step", "latent", "other", "correlation"]]
