"""What people type, and what they read then."""

import re

import pytest

from latents.workflow.dry_run import planned_jobs
from latents.workflow.targets import known_targets
from tests.workflow.clones import SMALL


def test_make_ends_by_saying_what_the_figure_shows(clone):
    first = clone.make(
        "figures/fig9.pdf", "SCALE=smoke", "CORES=2", "CONFIG=--config scale=smoke seeds=1 steps=40"
    )
    assert first.returncode == 0, first.stderr
    assert "Nothing to be done" in first.stdout + first.stderr  # an existing file is asked about
    *_, last = first.stdout.partition("figures/fig9.pdf  (numbers: figures/fig9.csv)")
    assert "Be More Active!, Figure 9" in last
    assert "smoke scale: 1 seed × 40 steps" in last
    assert "Does the paper's effect show?" in last


def test_why_says_that_nothing_is_stale(clone):
    done = clone.make("why", "CONFIG=--config scale=smoke seeds=1 steps=40")
    assert "nothing to be done" in done.stdout, done.stderr


def test_why_names_the_reason_of_every_job_and_its_cost(clone):
    clone.edit("latents/models/objectives/dip_vae.py", "+ kl + penalty", "+ kl + 2 * penalty")
    done = clone.make("why", "CONFIG=--config scale=smoke seeds=2 steps=40")
    lines = done.stdout.splitlines()
    cost = r"\(about .* each\)"
    expected = [
        r"^latents/models/objectives/dip_vae.py: DipVae.forward changed → 6 models, 6 repres",
        rf"6 × train_model dsprites_dip_vae_ii: .*dip_vae.py: DipVae.forward changed {cost}",
        rf"6 × train_model dsprites_dip_vae_ii: seeds 1 → 2 {cost}",
        rf"6 × encode_representation dsprites_dip_vae_ii: its inputs change {cost}",
        rf"6 × encode_representation dsprites_dip_vae_ii: not built yet {cost}",
        rf"1 × classify_variables dsprites_dip_vae_ii: seeds 1 → 2 {cost}",
        rf"1 × draw_figure fig9: seeds 1 → 2 {cost}",
        r"28 jobs, about .* of one core",
    ]
    for pattern in expected:
        assert any(re.search(pattern, line) for line in lines), f"{pattern}\n{done.stdout}"


def test_why_tells_changed_values_and_changed_plots(clone):
    clone.edit("latents/figures/plots/truncated_scores.py", "fontsize=10", "fontsize=11")
    done = clone.make("why", "CONFIG=--config scale=smoke seeds=1 steps=50")
    assert "train_model dsprites_dip_vae_ii: steps 40 → 50" in done.stdout
    changed = "latents/figures/plots/truncated_scores.py: draw changed"
    assert f"draw_figure fig9: {changed}; steps 40 → 50" in done.stdout
    assert f"{changed} → 1 figure\n" in done.stdout


def test_make_alone_lists_the_commands(clone):
    done = clone.make()
    assert "make figures/fig9.pdf" in done.stdout
    assert "make test" in done.stdout


@pytest.mark.parametrize("command", ["audit", "pack", "verify", "show"])
def test_what_is_not_built_is_said(command, built):
    path = "results/smoke/variables/dsprites_annealed_vae.csv"
    done = built.latents(command, path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"latents {command}: {path} is not built yet\n"


@pytest.mark.parametrize("command", ["why", "plan", "audit", "pack", "verify"])
def test_a_wrong_target_is_refused_with_the_nearest(command, built):
    done = built.latents(command, "fig99.pdf")
    said = f"latents {command}: no such target fig99.pdf; nearest: figures/fig9.pdf\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_a_short_name_and_settings_are_understood(built):
    done = built.latents("why", "fig9", "--config", *SMALL)
    assert done.stdout == "figures/fig9.pdf: nothing to be done, it is up to date\n", done.stderr
    assert built.latents("why", "fig9", "--config", "sclae=paper").returncode == 1


def _is_of(target: str, cells: tuple[str, ...]) -> bool:
    return any(f"{cell}{end}" in target for cell in cells for end in ("/", ".csv"))


def test_every_kind_of_target_that_is_offered_can_be_planned(tmp_path):
    kept = ("figures/fig", "figures/claims", "figures/poster", "figures/datasets/cars3d")
    kept += ("results/datasets/dsprites", "results/smoke/correlations", "results/smoke/claims")
    offered = [target for target in known_targets() if target.startswith(kept)]
    cells = ("/dsprites_beta_vae", "/dsprites_beta_vae_snapshots")
    of_cells = [t for t in known_targets() if t.startswith("results/smoke") and _is_of(t, cells)]
    kinds = {target.split("/")[2] for target in of_cells}
    assert kinds == {"scores", "variables", "latents", "correlation_matrices", "snapshots"}
    options = ["--config", "scale=smoke", "seeds=1"]
    assert planned_jobs([*offered, *of_cells], options, tmp_path)


@pytest.mark.parametrize("value", ["$(shell touch executed)", "a'; touch executed; '", "`id`"])
def test_what_make_is_given_is_not_executed(value, built):
    for goal in ("pack", "why"):
        assert built.make(goal, f"TARGET={value}", f"FILE={value}").returncode != 0
    done = built.make("unpack", f"FILE={value}")
    assert f"latents unpack: {value} is not a readable pack" in done.stderr
    assert not list(built.folder.rglob("executed"))


def test_a_copy_runs_its_own_library(unbuilt):
    unbuilt.edit("latents/commands/show.py", "where a result is", "where an outcome is")
    assert "where an outcome is" in unbuilt.latents("--help").stdout


def test_why_names_a_file_that_is_gone(clone):
    (clone.folder / "figures/fig9.csv").unlink()
    done = clone.make("why", "CONFIG=--config scale=smoke seeds=1 steps=40")
    assert "publish_figure fig9: fig9.csv is missing" in done.stdout
