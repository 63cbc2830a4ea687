"""What people type, and what they read then."""

import re


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
    clone.edit("latents/objectives/dip_vae.py", "+ kl + penalty", "+ kl + 2 * penalty")
    done = clone.make("why", "CONFIG=--config scale=smoke seeds=2 steps=40")
    lines = done.stdout.splitlines()
    cost = r"\(about .* each\)"
    expected = [
        rf"6 × train_model dsprites_dip_vae_ii: objective dip_vae changed {cost}",
        rf"6 × train_model dsprites_dip_vae_ii: seeds 1 → 2 {cost}",
        rf"6 × encode_representation dsprites_dip_vae_ii: its inputs are made anew {cost}",
        rf"6 × encode_representation dsprites_dip_vae_ii: not built yet {cost}",
        rf"1 × classify_variables dsprites_dip_vae_ii: seeds 1 → 2 {cost}",
        rf"1 × draw_figure fig9: seeds 1 → 2 {cost}",
        r"28 jobs, about .* of one core",
    ]
    for pattern in expected:
        assert any(re.search(pattern, line) for line in lines), f"{pattern}\n{done.stdout}"


def test_why_tells_changed_values_and_changed_plots(clone):
    clone.edit("latents/plots/truncated_scores.py", "fontsize=10", "fontsize=11")
    done = clone.make("why", "CONFIG=--config scale=smoke seeds=1 steps=50")
    assert "train_model dsprites_dip_vae_ii: steps 40 → 50" in done.stdout
    assert "draw_figure fig9: plot truncated_scores changed; steps 40 → 50" in done.stdout


def test_make_alone_lists_the_commands(clone):
    done = clone.make()
    assert "make figures/fig9.pdf" in done.stdout
    assert "make test" in done.stdout


def test_why_passes_on_what_snakemake_says_of_a_wrong_target(clone):
    done = clone.make("why", "TARGET=figures/fig99.pdf")
    assert done.returncode != 0
    assert "fig99" in done.stderr


def test_why_names_a_file_that_is_gone(clone):
    (clone.folder / "figures/fig9.csv").unlink()
    done = clone.make("why", "CONFIG=--config scale=smoke seeds=1 steps=40")
    assert "publish_figure fig9: fig9.csv is missing" in done.stdout
