"""A bad configuration gets one sentence: where, which key, and the nearest valid name."""

from pathlib import Path

import pytest

from latents.runtime.errors import Problem
from latents.workflow import settings as config
from tests.unit.workflow.conftest import spoil


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"scale": "labtop"},
            r'--config or --configfile: scale "labtop" .* did you mean "laptop"\?',
        ),
        ({"sedes": 3}, r'--config or --configfile: unknown key "sedes"; did you mean "seeds"\?'),
        ({"devise": "cpu"}, r'unknown key "devise"; did you mean "device"\?'),
        ({"seeds": -1}, "seeds is -1, but must be at least 1"),
        ({"seeds": 0}, "seeds is 0, but must be at least 1"),
        ({"steps": "many"}, "steps is 'many', but must be of type integer"),
        ({"steps": 1.5}, "steps is 1.5, but must be of type integer"),
        (
            {"network": "convv"},
            r'network "convv" is not in latents/models/networks; did you mean "conv"',
        ),
        ({"device": "gpu"}, "device is 'gpu', but must match"),
        ({"pairs": "all"}, r"pairs is 'all', but must be one of \['any', 'both'\]"),
        ({"seeds": 2.0}, "seeds is 2.0, but must be of type integer"),
        ({"seeds": True}, "seeds is True, but must be of type integer"),
        ({"learning_rate": float("nan")}, "learning_rate is nan, but must be of type number"),
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
        'dataset "dsprite" is not in config/datasets.yaml; did you mean "dsprites"',
    ),
    "reader's option": (
        "datasets",
        lambda c: c.update(
            mine={
                "title": "m",
                "reader": "own_hdf5",
                "originals": [{"file": "m"}],
                "options": {"nuisence": []},
            }
        ),
        'mine: options "nuisence" is not in latents/data/readers/own_hdf5.py; '
        'did you mean "nuisances"',
    ),
    "option that is no list": (
        "datasets",
        lambda c: c.update(
            mine={
                "title": "m",
                "reader": "own_hdf5",
                "originals": [{"file": "m"}],
                "options": {"nuisances": "x"},
            }
        ),
        "nuisances must be a list, not 'x'",
    ),
    "images without a variation": (
        "datasets",
        lambda c: c["smallnorb"].update(images="dsprites"),
        "smallnorb: images and variation go together",
    ),
    "a variation without its picture": (
        "datasets",
        lambda c: c["scream_dsprites"].pop("originals"),
        "only a variation with a picture has originals, and it must",
    ),
    "digest": (
        "datasets",
        lambda c: c["shapes3d"]["originals"][0].update(digest="sha256:0"),
        "originals.0.digest is 'sha256:0', but must match",
    ),
    "strength of a figure": (
        "figures",
        lambda c: c["fig4"].update(strength=7),
        "fig4: dsprites_beta_vae has no strength 7",
    ),
    "score of a table": (
        "correlations",
        lambda c: c["lecture_metrics"]["rows"].append("mig"),
        'score "mig" is not in latents/evaluation/metrics',
    ),
    "objective": (
        "sweeps",
        lambda c: c["dsprites_beta_vae"].update(objective="betavae"),
        'objective "betavae" .* did you mean "beta_vae"',
    ),
    "option": (
        "sweeps",
        lambda c: c["dsprites_dip_vae_ii"]["options"].update(varient="i"),
        'argument "varient" is not in latents/models/objectives/dip_vae.py; did you mean "variant"',
    ),
    "missing option": (
        "sweeps",
        lambda c: c["dsprites_dip_vae_ii"].pop("options"),
        r"latents/models/objectives/dip_vae\.py also needs diagonal_ratio, variant",
    ),
    "strength": (
        "sweeps",
        lambda c: c["dsprites_beta_vae"].update(strength="bta"),
        '"bta" is not in latents/models/objectives/beta_vae.py; did you mean "beta"',
    ),
    "choice": (
        "sweeps",
        lambda c: c["dsprites_dip_vae_ii"]["options"].update(variant="iii"),
        r"variant is 'iii', but must be one of \['i', 'ii'\]",
    ),
    "strength twice": (
        "sweeps",
        lambda c: c["dsprites_beta_vae"].update(options={"beta": 3}),
        "beta is both the strength and an option",
    ),
    "row name": ("sweeps", lambda c: c.update({"a+b": {}}), "not 'a\\+b'"),
    "row number": ("figures", lambda c: c.update({9: {}}), "digits and _, not 9"),
    "override": (
        "sweeps",
        lambda c: c["dsprites_beta_vae"].update(overrides={"any": {"stps": 3}}),
        'overrides of any: unknown key "stps"; did you mean "steps"',
    ),
    "override's scale": (
        "sweeps",
        lambda c: c["dsprites_beta_vae"].update(overrides={"papr": {}}),
        'overrides "papr" is not in config/scales; did you mean "paper"',
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
        'metrics "averaged_mi" is not in latents/evaluation/metrics',
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
        "config/figures.yaml: fig9: 'axis' is a required property of truncated_scores",
    ),
    "claim's cell": (
        "claims",
        lambda c: c["fig8a_gap"].update(cell="smallnorb_tcvae"),
        'fig8a_gap: cell "smallnorb_tcvae" .* did you mean "smallnorb_beta_tcvae"',
    ),
    "claim's test": (
        "claims",
        lambda c: c["fig8a_gap"].update(test="every_runs"),
        'fig8a_gap: test "every_runs" is not in latents/claims/criteria; did you mean "every_run"',
    ),
    "claim's argument": (
        "claims",
        lambda c: c["fig8a_gap"]["arguments"].update(shre=1),
        'arguments "shre" is not in latents/claims/criteria/every_run.py; did you mean "share"',
    ),
    "claim's missing argument": (
        "claims",
        lambda c: c["fig8a_gap"]["arguments"].pop("share"),
        r"fig8a_gap: arguments: latents/claims/criteria/every_run\.py also needs share",
    ),
    "claim without a bound": (
        "claims",
        lambda c: c["fig8a_gap"].update(arguments={"share": 0.9}),
        "fig8a_gap: arguments is .*not valid",
    ),
    "claim's expression": (
        "claims",
        lambda c: c["fig8a_gap"].update(value="mean - sample"),
        'fig8a_gap: value "sample" is not in the terms; did you mean "sampled"',
    ),
    "claim's broken expression": (
        "claims",
        lambda c: c["fig8a_gap"].update(value="mean -"),
        "fig8a_gap: value: 'mean -' is not an expression",
    ),
    "claim's term": (
        "claims",
        lambda c: c["fig8a_gap"]["terms"]["mean"].update(of="scores"),
        'terms: mean: of "scores" is not in latents/claims/terms; did you mean "score"',
    ),
    "claim's term's argument": (
        "claims",
        lambda c: c["fig8a_gap"]["terms"]["mean"].update(take="most"),
        'terms: mean "take" is not in latents/claims/terms/score.py',
    ),
    "row": ("figures", lambda c: c.update(fig99=3), "config/figures.yaml: fig99 must be a row"),
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
