"""Tables of a cell that no figure asks for: they are targets like any other."""

import numpy as np
import pandas as pd

from latents.evaluation.representation import read_representation

CELL = "dsprites_dip_vae_ii"


def test_matrices_and_latents_are_those_of_the_representations(clone):
    matrices = f"results/smoke/correlation_matrices/{CELL}.csv"
    latents = f"results/smoke/latents/{CELL}.csv"
    gap = f"results/smoke/scores/{CELL}/mutual_information_gap.csv"
    clone.build(targets=(matrices, latents, gap))
    codes = read_representation(
        clone.folder / f"results/smoke/representations/{CELL}/strength_5/seed_0.h5"
    )[0].mean
    table = pd.read_csv(clone.folder / matrices)
    mine = table.query("strength == 5 and seed == 0 and representation == 'mean'")
    found = mine.pivot(index="latent", columns="other", values="correlation").to_numpy()
    assert np.allclose(found, np.corrcoef(codes, rowvar=False), atol=1e-5)
    described = pd.read_csv(clone.folder / latents).query("strength == 5 and seed == 0")
    assert np.allclose(described["variance_of_mean"], codes.var(axis=0), rtol=1e-3)
    assert pd.read_csv(clone.folder / gap)["score"].between(0, 1).sum() > 0
    assert not clone.plan(targets=(matrices, latents, gap))
