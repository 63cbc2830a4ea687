"""Claims are tested on what is built, and nothing is built for that."""

from collections import Counter

import pandas as pd

from latents.claims.finding import UNCLEAR
from latents.workflow import settings as config
from tests.workflow.clones import SMALL

BUILT = ("results/claims.csv",)
CLAIMS = [
    name
    for name, row in config.load({}).claims.items()
    if row["cell"] == "dsprites_dip_vae_ii"  # the cell of figure 9
]


def test_claims_whose_tables_are_there(clone):
    planned = clone.plan(targets=BUILT)
    assert planned == Counter(check_claim=len(CLAIMS), gather_built_claims=1)
    said = clone.build(targets=BUILT)
    table = pd.read_csv(clone.folder / "results/claims.csv")
    assert table["claim"].tolist() == CLAIMS
    assert set(table["verdict"]) == {UNCLEAR}, "one seed says nothing"
    assert f"{len(CLAIMS)} claims: 0 hold" in said
    assert clone.plan(targets=BUILT) == Counter()


def test_no_tables_no_claims(unbuilt):
    done = unbuilt.snakemake(*BUILT, "--dry-run", "--config", *SMALL)
    assert done.returncode != 0
    assert "No claim has its tables in results/smoke yet" in done.stdout + done.stderr
