"""Bad input, damaged files, full disks: one clear sentence, a failure, nothing half-written."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from latents.runtime.record import record_path
from tests.workflow.clones import SMALL, Clone

FIGURE = ("figures/fig9.pdf",)
MODEL = "results/smoke/models/dsprites_dip_vae_ii/strength_5/seed_0/model.safetensors"


def files(folder: Path) -> set[str]:
    """Artefacts and leftovers: everything but logs and what Snakemake and Python keep."""
    ignored = {".snakemake", "logs", "__pycache__"}
    found = (p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
    return {str(p) for p in found if not ignored & set(p.parts)}


@pytest.fixture
def mounted(tmp_path: Path):
    """Mount a small file system over a folder; only root in a permissive sandbox can."""
    done = []

    def mount(folder: Path, options: str) -> None:
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        if subprocess.run(command, capture_output=True).returncode:
            pytest.skip("mounting a file system is not allowed here")
        done.append(folder)

    yield mount
    for folder in done:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("scale=labtop", 'scale "labtop" is not in config/scales; did you mean "laptop"?'),
        ("stepz=3", 'unknown key "stepz"; did you mean "steps"?'),
        ("seeds=-2", "seeds is -2, but must be at least 1"),
    ],
)
def test_a_bad_configuration_touches_nothing(config, said, unbuilt):
    before = files(unbuilt.folder)
    done = unbuilt.snakemake(*FIGURE, "--cores", "1", "--config", config)
    assert done.returncode != 0
    (sentence,) = [line for line in done.stderr.splitlines() if "Configuration error" in line]
    assert said in sentence
    assert "Traceback" not in done.stderr
    assert files(unbuilt.folder) == before


def test_a_dataset_that_cannot_be_had_is_named(unbuilt):
    done = unbuilt.snakemake("figures/datasets/shapes3d.pdf", "--cores", "1", "--config", *SMALL)
    assert done.returncode != 0
    assert "put data/3dshapes.h5 there or download with data_source=original" in done.stderr


def test_a_misspelt_key_in_a_file(unbuilt):
    unbuilt.edit("config/sweeps.yaml", "strengths: [1, 2, 4", "strenghts: [1, 2, 4")
    done = unbuilt.make("figures/fig9.pdf")
    assert done.returncode != 0
    assert 'dsprites_beta_vae: unknown key "strenghts"; did you mean "strengths"?' in done.stderr


def test_a_diverging_loss_leaves_no_checkpoint(unbuilt):
    done = unbuilt.snakemake(MODEL, "--cores", "1", "--config", *SMALL, "learning_rate=1e9")
    assert done.returncode != 0
    last_words = done.stderr.partition("What went wrong:")[2]
    assert re.search(r"train_model: training diverged at step \d+: loss \S+, recon", last_words)
    assert not [f for f in files(unbuilt.folder) if "safetensors" in f or "partial" in f]


@pytest.mark.parametrize(
    "name",
    [
        MODEL,
        "results/smoke/representations/dsprites_dip_vae_ii/strength_5/seed_0.h5",
        "results/smoke/scores/dsprites_dip_vae_ii/averaged_mutual_information.csv",
        "results/datasets/dsprites.h5",
    ],
)
def test_a_truncated_artefact_is_refused_before_anything_is_lost(name, clone):
    path = clone.folder / name
    whole = path.read_bytes()
    path.write_bytes(whole[:5000])
    before = files(clone.folder)
    done = clone.snakemake(*FIGURE, "--cores", "1", "--config", *SMALL)
    assert done.returncode != 0
    assert done.stderr.count(f"{name} is not what its record says was written there") == 1
    assert "Traceback" not in done.stderr
    assert files(clone.folder) == before
    path.unlink()
    clone.build(targets=(*FIGURE, name))
    assert path.read_bytes() == whole


def test_touching_does_not_hide_that_a_file_was_changed(clone):
    with (clone.folder / MODEL).open("ab") as file:
        file.write(b"x")
    clone.snakemake(*FIGURE, "--cores", "1", "--touch", "-F", "--config", *SMALL)
    done = clone.snakemake(*FIGURE, "--dry-run", "--config", *SMALL)
    assert done.returncode != 0
    assert f"{MODEL} is not what its record says" in done.stderr


def test_an_artefact_whose_record_was_cut_short_is_made_again(clone):
    record = record_path(clone.folder / MODEL)
    model, told = (clone.folder / MODEL).read_bytes(), record.read_text()
    record.write_text(told[:1000])
    assert clone.plan(targets=FIGURE)["train_model"] == 1
    clone.build(targets=(MODEL,))
    assert (clone.folder / MODEL).read_bytes() == model
    assert json.loads(record.read_text())["outputs"] == json.loads(told)["outputs"]


def test_a_truncated_input_of_a_new_job_is_refused_by_the_job(clone):
    path = clone.folder / "results/smoke/representations/dsprites_dip_vae_ii/strength_5/seed_0.h5"
    path.write_bytes(path.read_bytes()[:5000])
    shutil.rmtree(clone.folder / "results/smoke/variables")
    target = "results/smoke/variables/dsprites_dip_vae_ii.csv"
    done = clone.snakemake(target, "--cores", "1", "--config", *SMALL)
    assert done.returncode != 0
    last_words = done.stderr.partition("What went wrong:")[2]
    assert f"{path.relative_to(clone.folder)} is not what its record says" in last_words
    assert not (clone.folder / target).exists()


def test_a_folder_with_a_space_in_its_name(clone, tmp_path):
    shutil.move(clone.folder, tmp_path / "with space")
    moved = Clone(tmp_path / "with space")
    moved.edit("latents/figures/plots/truncated_scores.py", "fontsize=10", "fontsize=11")
    assert (
        "draw_figure fig9: latents/figures/plots/truncated_scores.py: draw changed"
        in moved.latents("why", *FIGURE, "--config", *SMALL).stdout
    )
    moved.build()


def test_a_full_disk_leaves_nothing_half_written(unbuilt, built, mounted):
    results = unbuilt.folder / "results"
    mounted(results, "size=64m")
    shutil.copytree(built.folder / "results" / "datasets", results / "datasets")
    free = shutil.disk_usage(results).free
    (results / "filler").write_bytes(b"x" * (free - 200_000))
    done = unbuilt.snakemake(*FIGURE, "--cores", "1", "--config", *SMALL)
    assert done.returncode != 0
    assert "no space left on the disk that holds results/smoke/models" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    left = {f for f in files(results) if not f.startswith(("datasets/", "filler"))}
    assert not [f for f in left if "partial" in f or f.endswith(".safetensors")]
    (results / "filler").unlink()
    unbuilt.build(targets=(MODEL,))
    assert (unbuilt.folder / MODEL).read_bytes() == (built.folder / MODEL).read_bytes()


def test_a_read_only_results_folder(unbuilt, mounted):
    mounted(unbuilt.folder / "results", "ro")
    done = unbuilt.snakemake(*FIGURE, "--cores", "1", "--config", *SMALL)
    assert done.returncode != 0
    assert "Read-only file system: 'results/datasets'" in done.stderr
    assert "Traceback" not in done.stderr


def test_snapshots_of_a_run_are_kept_where_they_are_asked_for(unbuilt):
    unbuilt.edit(
        "config/sweeps.yaml", "  strength: lambda_od", "  snapshots: 4\n  strength: lambda_od"
    )
    unbuilt.build(targets=(MODEL,))
    kept = pd.read_csv((unbuilt.folder / MODEL).parent / "snapshots.csv")
    assert sorted(kept["step"].unique()) == [10, 20, 30, 40]
    assert len(kept) == 4 * 45
    assert not unbuilt.plan(targets=(MODEL,))
