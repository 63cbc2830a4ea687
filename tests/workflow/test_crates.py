"""Crates of a really built figure."""

import zipfile

from latents.runtime.record import find_record
from tests.workflow.clones import SMALL, Clone

CRATE = ("figures/fig9.crate.zip",)
HISTORY = "results/smoke/models/dsprites_dip_vae_ii/strength_1/seed_0/history.csv"


def test_an_unpacked_crate_by_value_is_a_tree_with_nothing_to_be_done(clone, tmp_path):
    clone.build(*SMALL, "crate_by_value=true", targets=CRATE)
    with zipfile.ZipFile(clone.folder / CRATE[0]) as archive:
        archive.extractall(tmp_path / "unpacked")
    assert not Clone(tmp_path / "unpacked").plan(targets=("figures/fig9.pdf",))


def test_a_crate_follows_what_it_holds(clone):
    clone.build(targets=CRATE)
    assert not clone.plan(targets=CRATE)
    clone.edit("README.md", "# latents", "# Latents")
    assert clone.plan(targets=CRATE) == {"export_crate": 1}
    clone.edit("README.md", "# Latents", "# latents")
    assert not clone.plan(targets=CRATE)
    record = find_record(clone.folder / HISTORY).relative_to(clone.folder)
    clone.edit(str(record), '"started": "2', '"started": "1')
    assert clone.plan(targets=CRATE) == {"export_crate": 1}


def test_a_file_that_was_changed_anywhere_in_the_chain_is_refused(clone):
    (clone.folder / HISTORY).write_text("step,loss\n")
    done = clone.snakemake(*CRATE, "--cores", "1", "--config", *SMALL)
    assert done.returncode != 0
    assert f"export_crate: {HISTORY} is not the file that the record of" in done.stderr
    assert not (clone.folder / CRATE[0]).exists()
