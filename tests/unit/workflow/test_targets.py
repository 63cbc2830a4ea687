"""Names of targets: what the configuration offers, short names, and the nearest of a wrong one."""

import pytest

from latents.runtime.errors import Problem
from latents.workflow import clone, targets


def refuse(said: str):
    def planned_jobs(*_: object) -> list:
        raise Problem(said)

    return planned_jobs


@pytest.fixture
def no_rule(monkeypatch):
    """Snakemake knows no rule for anything."""

    def planned_jobs(asked: list[str], *_: object) -> list:
        raise Problem(f"MissingRuleException: No rule to produce {asked[0]}")

    monkeypatch.setattr(targets, "planned_jobs", planned_jobs)


def test_no_target_is_offered_twice():
    known = targets.known_targets()
    assert len(known) == len(set(known))


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("fig9", "figures/fig9.pdf"),
        ("fig9.pdf", "figures/fig9.pdf"),
        ("fig9.csv", "figures/fig9.csv"),
        ("fig9.crate.zip", "figures/fig9.crate.zip"),
        ("claims", "figures/claims.pdf"),
        ("dsprites", "figures/datasets/dsprites.pdf"),
        ("smoke/variables/dsprites_beta_vae.csv", "results/smoke/variables/dsprites_beta_vae.csv"),
    ],
)
def test_a_short_name_that_means_one_target_is_taken_for_it(short, full):
    assert targets.full_name(short) == full


@pytest.mark.parametrize("name", ["figures/fig9.pdf", "all", "figures", "dsprites_beta_vae.csv"])
def test_any_other_name_stays_as_it_is(name):
    assert targets.full_name(name) == name


def test_a_file_that_is_there_is_meant_itself(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fig9.pdf").touch()
    assert targets.full_name("fig9.pdf") == "fig9.pdf"


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("figures/fig99.pdf", "figures/fig9.pdf"),
        ("fig99.pdf", "figures/fig9.pdf"),
        ("fig99", "figures/fig9.pdf"),
        ("figures/fig9.pfd", "figures/fig9.pdf"),
        (
            "results/smoke/scores/dsprites_beta_vae/dcj.csv",
            "results/smoke/scores/dsprites_beta_vae/dci.csv",
        ),
    ],
)
def test_a_wrong_name_is_refused_with_the_nearest(wrong, nearest, no_rule, tmp_path):
    with pytest.raises(Problem) as raised:
        targets.plan(wrong, [], tmp_path)
    assert str(raised.value) == f"no such target {wrong}; nearest: {nearest}"


def test_a_name_like_no_other_is_refused_without_a_hint(no_rule, tmp_path):
    with pytest.raises(Problem, match=r"^no such target QQQQ$"):
        targets.plan("QQQQ", [], tmp_path)


def test_a_target_of_another_scale_is_told_from_a_wrong_name(no_rule, tmp_path):
    path = "results/smoke/variables/dsprites_beta_vae.csv"
    with pytest.raises(Problem, match=f"^{path} is of another scale than the chosen one$"):
        targets.plan(path, ["--config", "scale=laptop"], tmp_path)


@pytest.mark.parametrize(
    ("path", "settings"),
    [
        ("results/smoke/models/a/b.csv", {"scale": "smoke"}),
        ("results/datasets/dsprites.h5", {}),
        ("figures/smoke/a.csv", {}),
        ("all", {}),
        ("results", {}),
    ],
)
def test_a_path_names_its_scale(path, settings):
    assert targets.settings_of(path) == settings


def test_other_problems_of_a_plan_are_told_as_they_are(monkeypatch, tmp_path):
    said = "Configuration error: config/config.yaml: unknown key"
    monkeypatch.setattr(targets, "planned_jobs", refuse(said))
    with pytest.raises(Problem, match=f"^{said}$"):
        targets.plan("figures/fig9.pdf", [], tmp_path)


def test_the_folder_of_figures_stands_for_all_of_them(monkeypatch, tmp_path):
    monkeypatch.setattr(targets, "planned_jobs", lambda asked, *_: asked)
    assert targets.plan("figures", [], tmp_path) == ["all"]


def test_an_artefact_is_found_in_the_folder_or_where_it_was_copied_to(tmp_path, monkeypatch):
    folder, elsewhere = tmp_path / "project", tmp_path / "copy.pdf"
    (folder / "figures").mkdir(parents=True)
    for path in (folder / "figures" / "fig9.pdf", elsewhere):
        path.touch()
    monkeypatch.chdir(tmp_path)
    assert targets.find_artefact("fig9", folder) == folder / "figures" / "fig9.pdf"
    assert targets.find_artefact("figures/fig9.pdf", folder) == folder / "figures" / "fig9.pdf"
    assert str(targets.find_artefact("copy.pdf", folder)) == "copy.pdf"


def test_what_is_not_built_is_told_from_what_no_rule_makes(tmp_path, monkeypatch, no_rule):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Problem, match=r"no such target figures/fig99\.pdf; nearest: "):
        targets.find_artefact("figures/fig99.pdf", tmp_path)
    with pytest.raises(Problem, match=r"\.\./mine\.pdf is not there"):
        targets.find_artefact("../mine.pdf", tmp_path)
    monkeypatch.setattr(targets, "planned_jobs", lambda *_: [])
    with pytest.raises(Problem, match=r"^figures/fig10\.pdf is not built yet$"):
        targets.find_artefact("fig10", tmp_path)


def test_a_library_without_its_clone_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(clone, "ROOT", tmp_path)
    for asked in (targets.known_targets, lambda: targets.plan("all", [], tmp_path)):
        with pytest.raises(Problem, match=f"no Snakefile is beside the library in {tmp_path}"):
            asked()
