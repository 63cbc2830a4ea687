"""Scales, rows and the command line make one configuration, as the papers have it."""

from pathlib import Path

import yaml

from latents.evaluation.study_index import DATASETS, METHODS
from latents.runtime.sources import ROOT
from latents.workflow import settings as config
from tests.unit.workflow.conftest import spoil


def test_every_scale_is_valid_and_laptop_is_the_default():
    assert config.load({}).options["scale"] == "laptop"
    for scale in ("smoke", "laptop", "paper"):
        assert config.load({"scale": scale}).scale["latents"] == 10


def test_paper_scale_is_the_papers():
    scale = config.load({"scale": "paper"}).scale
    expected = {"seeds": 50, "steps": 300_000, "batch_size": 64, "learning_rate": 1e-4}
    expected |= {"adam_betas": [0.9, 0.999], "network": "conv", "width": 1, "examples": 10_000}
    assert {key: scale[key] for key in expected} == expected
    assert len(config.load({"scale": "paper"}).runs("dsprites_dip_vae_ii")) == 300


def test_the_cells_of_the_main_paper_are_all_there():
    """Nine cells of 6 strengths x 50 seeds, and two of one model, one of them with snapshots."""
    settings = config.load({"scale": "paper"})
    cells = ["dsprites_beta_vae", "smallnorb_beta_tcvae", "cars3d_dip_vae_ii"]
    cells += ["color_dsprites_beta_tcvae", "dsprites_dip_vae_ii", "noisy_dsprites_beta_tcvae"]
    cells += [f"{d}_annealed_vae" for d in ("dsprites", "scream_dsprites", "cars3d")]
    assert [len(settings.runs(cell)) for cell in cells] == [300] * 9
    for single in ("color_dsprites_beta_vae", "dsprites_beta_vae_snapshots"):
        assert settings.paper_scale_of(single)["seeds"] == 1
        assert len(settings.runs(single)) == 5  # as many as an exact sign test needs to say so
    assert settings.sweeps["dsprites_beta_vae_snapshots"]["snapshots"] == 300


def test_the_cells_of_the_study_have_its_methods_and_strengths():
    for cell, row in config.load({}).sweeps.items():
        if "study_method" in row:
            assert row["dataset"] in DATASETS, cell
            assert set(row["strengths"]) <= set(METHODS[row["study_method"]]), cell


def test_the_lectures_tables_have_six_methods_on_two_datasets():
    sweeps = config.load({}).sweeps.values()
    for dataset in ("dsprites", "noisy_dsprites"):
        methods = {r.get("study_method") for r in sweeps if r["dataset"] == dataset}
        assert methods >= set(METHODS)


def test_the_command_line_overrides_any_key_of_a_scale():
    settings = config.load({"seeds": 3, "adam_betas": ["0.5", "0.9"], "device": "cpu"})
    scale = settings.scale_of("dsprites_beta_vae")
    assert (scale["seeds"], scale["adam_betas"]) == (3, [0.5, 0.9])
    assert len(settings.runs("dsprites_beta_vae")) == 18


def test_a_row_overrides_the_scale_and_the_user_overrides_the_row(folder: Path):
    special = {"any": {"latents": 20}, "paper": {"seeds": 7}}
    spoil(folder / "sweeps.yaml", lambda c: c["dsprites_beta_vae"].update(overrides=special))
    assert config.load({}).scale_of("dsprites_beta_vae")["latents"] == 20
    assert config.load({}).scale_of("dsprites_beta_vae")["seeds"] == 2
    assert config.load({"scale": "paper"}).scale_of("dsprites_beta_vae")["seeds"] == 7
    assert config.load({}).paper_scale_of("dsprites_beta_vae")["seeds"] == 7
    given = {"scale": "paper", "seeds": 3}
    assert len(config.load(given).runs("dsprites_beta_vae")) == 3 * 6


def test_strengths_that_differ_have_paths_that_differ(folder: Path):
    values = [1.0000001, 1.0000002, 1000000, 1000001, 1, 1e-5, 0.5]
    spoil(folder / "sweeps.yaml", lambda c: c["isa_dsprites_beta_vae"].update(strengths=values))
    strengths = config.load({}).strengths("isa_dsprites_beta_vae")
    assert list(strengths.values()) == values
    assert {"1", "0.5"} <= set(strengths)


def test_numbers_may_be_written_as_people_write_them(folder: Path):
    text = (folder / "scales" / "laptop.yaml").read_text()
    (folder / "scales" / "laptop.yaml").write_text(text.replace("0.001", "1e-3"))
    assert config.load({}).scale["learning_rate"] == 0.001
    assert config.load({"learning_rate": "5e-3"}).overrides["learning_rate"] == 0.005


def test_every_key_is_explained_in_the_readme():
    text = (ROOT / "config" / "README.md").read_text()
    for schema in (ROOT / "config" / "schemas").glob("*.yaml"):
        for key in yaml.safe_load(schema.read_text())["properties"]:
            assert f"`{key}`" in text, f"{schema.name}: {key}"
