"""Number of times that a latent was correlated with another one during training (Figure 12)."""

import pandas as pd

from latents.claims.per_run import RUN, per_run

TABLES = ("snapshots/{cell}", "variables/{cell}")


def read(
    snapshots: pd.DataFrame,
    variables: pd.DataFrame,
    *,
    threshold: float,
    types: list[str],
    take: str,
) -> "pd.Series[float]":
    """Count pairs of a snapshot and another latent with |r| above the threshold, per final type."""
    often = snapshots[snapshots["correlation"].abs() > threshold]
    ends = pd.concat([often.rename(columns={end: "latent"}) for end in ("a", "b")])
    times = ends.groupby([*RUN, "latent"]).size()
    trained = variables.set_index(RUN).loc[snapshots.groupby(RUN).size().index].reset_index()
    latents = pd.MultiIndex.from_frame(trained[[*RUN, "latent"]])
    counted = trained.assign(times=times.reindex(latents, fill_value=0).to_numpy())
    return per_run(counted, "times", types=types, take=take)
