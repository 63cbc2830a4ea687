"""Finished results in another clone: nothing to do there, until something changes there."""

import zipfile

import pytest

from tests.workflow.clones import Clone
from tests.workflow.test_staleness import DIP_CHAIN, NOTHING

FIGURE = ("figures/fig9.pdf",)


@pytest.fixture(scope="module")
def pack(built: Clone, tmp_path_factory):
    file = tmp_path_factory.mktemp("packs") / "fig9.pack.zip"
    done = built.make("pack", f"TARGET={FIGURE[0]}", f"FILE={file}")
    assert done.returncode == 0, done.stderr
    assert "17 jobs" in done.stdout
    return file


def test_another_clone_has_nothing_to_do_until_its_code_changes(pack, unbuilt):
    done = unbuilt.make("unpack", f"FILE={pack}")
    assert done.returncode == 0, done.stderr
    assert "44 files were placed, 2 were here already" in done.stdout  # the dataset and its record
    assert "All of it is up to date here: snakemake --cores all figures/fig9.pdf" in done.stdout
    assert unbuilt.plan(targets=FIGURE) == NOTHING
    audited = unbuilt.latents("audit", *FIGURE)
    assert "20 artefacts: 20 fresh" in audited.stdout
    unbuilt.edit("latents/models/objectives/dip_vae.py", "+ kl + penalty", "+ kl + 2 * penalty")
    assert unbuilt.plan(targets=FIGURE) == DIP_CHAIN


def test_a_clone_with_other_code_is_told_what_is_stale_and_why(pack, unbuilt):
    unbuilt.edit("latents/models/objectives/dip_vae.py", "+ kl + penalty", "+ kl + 2 * penalty")
    done = unbuilt.make("unpack", f"FILE={pack}")
    assert done.returncode == 0, done.stderr
    assert "so these count as stale" in done.stdout
    changed = "latents/models/objectives/dip_vae.py: DipVae.forward changed"
    assert f"6 × train_model dsprites_dip_vae_ii: {changed}" in done.stdout
    assert f"{changed} → 6 models, 6 representations, 2 tables, 1 figure" in done.stdout


def test_no_log_state_or_data_of_the_user_is_packed(pack):
    with zipfile.ZipFile(pack) as archive:
        names = archive.namelist()
    assert not [name for name in names if "/logs/" in name or "/states/" in name]
    assert {name.split("/")[0] for name in names} == {"manifest.json", "results", "figures"}


def test_a_damaged_pack_is_refused_in_one_sentence(pack, unbuilt, tmp_path):
    content = bytearray(pack.read_bytes())
    content[len(content) // 2] ^= 1
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(content)
    done = unbuilt.make("unpack", f"FILE={damaged}")
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert "nothing was written" in done.stderr
    assert not (unbuilt.folder / "figures").exists()


def test_own_results_are_not_overwritten(pack, unbuilt):
    table = unbuilt.folder / "figures/fig9.csv"
    table.parent.mkdir()
    table.write_text("of another scale")
    done = unbuilt.make("unpack", f"FILE={pack}")
    assert done.returncode != 0
    assert "figures/fig9.csv is here already, and another one" in done.stderr
    assert table.read_text() == "of another scale"
    assert not (unbuilt.folder / "figures/fig9.pdf").exists()
