"""Chains made again: an honest one comes out, a forged one is found out, nothing is written to."""

import json
import re
from pathlib import Path

import pytest

from latents.models.checkpoint import read_checkpoint, write_checkpoint
from latents.runtime.record import digest, record_path, sealed

RUN = "dsprites_dip_vae_ii/strength_5/seed_0"
MODEL = f"results/smoke/models/{RUN}/model.safetensors"
HISTORY = f"results/smoke/models/{RUN}/history.csv"
CODES = f"results/smoke/representations/{RUN}.h5"


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch) -> Path:
    """Where scratch folders are made, and are to be gone from."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def state(folder: Path) -> dict[str, tuple[int, str]]:
    """Times and contents of results and figures."""
    found = (p for top in ("results", "figures") for p in (folder / top).rglob("*") if p.is_file())
    return {str(p): (p.stat().st_mtime_ns, digest(p)) for p in found}


def row(text: str, step: str) -> list[int]:
    """Artefacts, identical, within tolerance, diverging."""
    return [int(number) for number in re.search(rf"^{step} +([\d ]+)$", text, re.M)[1].split()]


def test_an_honest_figure_comes_out_again_and_its_tree_is_left_alone(built, scratch):
    before = state(built.folder)
    done = built.make("verify", "TARGET=figures/fig9.pdf", "SAMPLE=1", "CORES=2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "train_model: rebuilding 1 of 6" in done.stdout
    assert row(done.stdout, "prepare_dataset") == [1, 1, 0, 0]
    assert row(done.stdout, "train_model") == [2, 2, 0, 0]
    assert row(done.stdout, "publish_figure") == [4, 4, 0, 0]
    assert "All of it came out again" in done.stdout
    assert state(built.folder) == before
    assert not list(scratch.glob("latents-verify-*"))


def forge(folder: Path) -> None:
    """Better weights than any training made, with a record that fits them."""
    tensors, description = read_checkpoint(folder / MODEL)
    write_checkpoint(folder / MODEL, {k: 1.05 * t for k, t in tensors.items()}, description)
    record = json.loads(record_path(folder / MODEL).read_text())
    record["outputs"][MODEL] = digest(folder / MODEL)
    record_path(folder / MODEL).write_text(json.dumps(sealed(record)))


def test_a_forged_checkpoint_that_an_audit_cannot_see_is_found_out(clone, scratch):
    forge(clone.folder)
    clone.build(targets=(CODES,))  # so that all that follows fits the forgery
    before = state(clone.folder)
    done = clone.make("verify", f"TARGET={CODES}", "SAMPLE=1", "CORES=1")
    assert done.returncode != 0
    assert "The present code" not in done.stdout
    assert row(done.stdout, "encode_representation") == [1, 1, 0, 0]
    assert row(done.stdout, "train_model") == [2, 1, 0, 1]
    first = f"The first step that diverges is train_model: {MODEL}: tensor "
    assert first in done.stdout
    assert state(clone.folder) == before
    (kept,) = scratch.glob("latents-verify-*")
    assert f"The rebuilt files are kept in {kept}" in done.stdout
    assert (kept / MODEL).is_file()


def test_changed_code_is_said_first_and_a_whole_chain_names_where_it_begins(clone):
    clone.edit("latents/models/objectives/dip_vae.py", "+ kl + penalty", "+ kl + 9 * penalty")
    done = clone.make("verify", f"TARGET={CODES}", "CORES=1")
    assert done.returncode != 0
    assert done.stdout.startswith(
        "The present code, configuration or data are not the recorded ones"
    )
    assert (
        "train_model: latents/models/objectives/dip_vae.py: DipVae.forward changed" in done.stdout
    )
    assert row(done.stdout, "prepare_dataset") == [1, 1, 0, 0]
    assert row(done.stdout, "train_model")[3] > 0
    assert "The first step that diverges is train_model" in done.stdout


def test_a_chain_that_was_tampered_with_is_not_rebuilt(clone, scratch):
    (clone.folder / CODES).write_bytes(b"other")
    done = clone.make("verify", f"TARGET={CODES}")
    assert done.returncode != 0
    assert f"verify: {CODES} is tampered: its bytes are not those that were written" in done.stderr
    assert not list(scratch.iterdir())
