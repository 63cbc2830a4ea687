"""Correlation between latents of two types towards the end of training (Figure 13)."""

import pandas as pd

from latents.claims.per_run import RUN

TABLES = ("snapshots/{cell}", "variables/{cell}")


def read(
    snapshots: pd.DataFrame, variables: pd.DataFrame, *, between: list[str], after: float
) -> "pd.Series[float]":
    """Return the mean |r| over all pairs of the two types and over the snapshots from `after` on.

    `after` is a share of the training: 0 is all snapshots, 1 the last one. Types are those at the
    end.
    """
    late = snapshots[snapshots["step"] >= after * snapshots["step"].max()]
    types = variables.set_index([*RUN, "latent"])["type"]
    ends = [late[[*RUN, end]].rename(columns={end: "latent"}) for end in ("a", "b")]
    first, second = (types.reindex(pd.MultiIndex.from_frame(end)).to_numpy() for end in ends)
    one, other = between
    chosen = ((first == one) & (second == other)) | ((first == other) & (second == one))
    sizes = late[chosen].assign(size=late["correlation"].abs()).groupby(RUN)["size"].mean()
    return sizes.reindex(snapshots.groupby(RUN).size().index)
