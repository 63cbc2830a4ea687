"""A bad configuration gets one sentence: where, which key, and the nearest valid name."""

import shutil
from pathlib import Path

import pytest
import yaml

from latents import config
from latents.fingerprint import ROOT
from latents.problem import Problem


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    """A copy of the configuration that a test may spoil."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "latents").symlink_to(ROOT / "latents")
    monkeypatch.setattr(config, "ROOT", tmp_path)
    monkeypatch.setattr(config, "FOLDER", tmp_path / "config")
    return tmp_path / "config"


def spoil(path: Path, change) -> None:
    content = yaml.safe_load(path.read_text())
    change(content)
    path.write_text(yaml.safe_dump(content))


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


def test_the_command_line_overrides_any_key_of_a_scale():
    settings = config.load({"seeds": 3, "adam_betas": ["0.5", "0.9"], "device": "cpu"})
    assert settings.scale["seeds"] == 3
    assert settings.scale["adam_betas"] == [0.5, 0.9]
    assert len(settings.runs("dsprites_beta_vae")) == 18


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"scale": "labtop"}, r'--config .*: scale "labtop" .* did you mean "laptop"\?'),
        ({"sedes": 3}, r'--config .*: unknown key "sedes"; did you mean "seeds"\?'),
        ({"devise": "cpu"}, r'unknown key "devise"; did you mean "device"\?'),
        ({"seeds": -1}, "seeds is -1, but must be at least 1"),
        ({"seeds": 0}, "seeds is 0, but must be at least 1"),
        ({"steps": "many"}, "steps is 'many', but must be of type integer"),
        ({"steps": 1.5}, "steps is 1.5, but must be of type integer"),
        ({"network": "convv"}, r'network "convv" is not in latents/models; did you mean "conv"'),
        ({"device": "gpu"}, "device is 'gpu', but must match"),
        ({"pairs": "all"}, r"pairs is 'all', but must be one of \['any', 'both'\]"),
        ({"adam_betas": [0.9]}, "adam_betas"),
        ({"adam_betas": [0.9, 1.0]}, "adam_betas.1 is 1.0, but must be below 1"),
    ],
)
def test_bad_values_on_the_command_line(given, said):
    with pytest.raises(Problem, match=said) as caught:
        config.load(given)
    assert "\n" not in str(caught.value)


SPOILT = {
    "sweep key": (
        "sweeps",
        lambda c: c["dsprites_beta_vae"].update(objektive=1),
        r'sweeps.yaml: dsprites_beta_vae: unknown key "objektive"; did you mean "objective"',
    ),
    "dataset": (
        "sweeps",
        lambda c: c["dsprites_beta_vae"].update(dataset="dsprite"),
        'dataset "dsprite" is not in latents/datasets; did you mean "dsprites"',
    ),
    "objective": (
        "sweeps",
        lambda c: c["dsprites_beta_vae"].update(objective="betavae"),
        'objective "betavae" .* did you mean "beta_vae"',
    ),
    "option": (
        "sweeps",
        lambda c: c["dsprites_dip_vae_ii"]["options"].update(varient="i"),
        'option "varient" is not in objective dip_vae; did you mean "variant"',
    ),
    "missing option": (
        "sweeps",
        lambda c: c["dsprites_dip_vae_ii"].pop("options"),
        "objective dip_vae also needs diagonal_ratio, variant",
    ),
    "strength": (
        "sweeps",
        lambda c: c["dsprites_beta_vae"].update(strength="bta"),
        '"bta" is not in objective beta_vae; did you mean "beta"',
    ),
    "strengths": (
        "sweeps",
        lambda c: c["dsprites_beta_vae"].update(strengths=[1, "x"]),
        "strengths.1 is 'x', but must be of type number",
    ),
    "cell": (
        "figures",
        lambda c: c["fig9"].update(cells=["dsprites_dip_vae"]),
        'fig9: cells "dsprites_dip_vae" is not in config/sweeps.yaml; did you mean "dsprites_dip_',
    ),
    "metric": (
        "figures",
        lambda c: c["fig9"].update(metrics=["averaged_mi"]),
        'metrics "averaged_mi" is not in latents/metrics',
    ),
    "plot": (
        "figures",
        lambda c: c["fig9"].update(plot="truncated"),
        'plot "truncated" .* did you mean "truncated_scores"',
    ),
    "panel": (
        "figures",
        lambda c: c["fig9"]["panels"][0].update(combination="ful"),
        'panels "ful" .* did you mean "full"',
    ),
    "missing key": (
        "figures",
        lambda c: c["fig9"].pop("axis"),
        "config/figures.yaml: fig9: 'axis' is a required property",
    ),
    "row": ("figures", lambda c: c.update(fig10=3), "config/figures.yaml: fig10 must be a row"),
    "config key": (
        "config",
        lambda c: c.update(scael="x"),
        r'config/config.yaml: unknown key "scael"; did you mean "scale"',
    ),
    "scale key": (
        "scales/laptop",
        lambda c: c.update(step=3),
        'config/scales/laptop.yaml: unknown key "step"; did you mean "steps"',
    ),
    "scale value": (
        "scales/laptop",
        lambda c: c.update(width=0),
        "config/scales/laptop.yaml: width is 0, but must be above 0",
    ),
    "scale missing": (
        "scales/laptop",
        lambda c: c.pop("steps"),
        "config/scales/laptop.yaml: 'steps' is a required property",
    ),
}


@pytest.mark.parametrize("case", SPOILT)
def test_bad_files(case, folder: Path):
    file, change, said = SPOILT[case]
    spoil(folder / f"{file}.yaml", change)
    with pytest.raises(Problem, match=said) as caught:
        config.load({})
    assert "\n" not in str(caught.value)


def test_broken_yaml_is_named_with_its_line(folder: Path):
    (folder / "sweeps.yaml").write_text("a: 1\nb: [1, 2\nc: 3\n")
    with pytest.raises(Problem, match=r"config/sweeps.yaml: not valid YAML near line \d"):
        config.load({})


def test_every_key_is_explained_in_the_readme():
    text = (ROOT / "config" / "README.md").read_text()
    for schema in (ROOT / "config" / "schemas").glob("*.yaml"):
        for key in yaml.safe_load(schema.read_text())["properties"]:
            assert f"`{key}`" in text, f"{schema.name}: {key}"
