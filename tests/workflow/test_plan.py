"""What a plan counts, and what it says of costs."""

import re

from latents.runtime.job_list import newest_list, read_list
from latents.workflow.dry_run import planned_jobs
from latents.workflow.plan_table import trainings_per_cell

STUDY = {  # Be More Active!, 6 strengths x 50 seeds each
    "dsprites_beta_vae",
    "smallnorb_beta_tcvae",
    "cars3d_dip_vae_ii",
    "color_dsprites_beta_tcvae",
    "dsprites_dip_vae_ii",
    "noisy_dsprites_beta_tcvae",
    "dsprites_annealed_vae",
    "scream_dsprites_annealed_vae",
    "cars3d_annealed_vae",
}
SINGLE = {"color_dsprites_beta_vae", "dsprites_beta_vae_snapshots"}


def test_all_figures_at_paper_scale_need_the_trainings_of_the_study(tmp_path):
    jobs = planned_jobs(["all"], ["--config", "scale=paper"], tmp_path)
    expected = dict.fromkeys(STUDY, 300) | dict.fromkeys(SINGLE, 5)
    assert trainings_per_cell(jobs) == expected


def test_a_plan_tells_what_is_done_and_what_the_rest_would_cost(clone):
    """Two seeds more, of which nothing but the costs of the first is known."""
    done = clone.make("plan", "CONFIG=--config scale=smoke seeds=3 steps=40")
    assert done.returncode == 0, done.stderr
    row = re.compile(
        r"^train_model +18 +6 +12 +(\S+) +(\S+) [kM]B +(\S+) [kM]B +measured$", re.MULTILINE
    )
    assert row.search(done.stdout), done.stdout
    assert "18 trainings:\n     18 dsprites_dip_vae_ii, 6 done" in done.stdout
    assert "No training was measured on a GPU" in done.stdout
    stages = re.findall(r"^(\w+) +\d", done.stdout, re.MULTILINE)
    order = ["prepare_dataset", "train_model", "encode_representation", "classify_variables"]
    assert stages == [*order, "score_metric", "draw_figure", "publish_figure", "together"]


def test_a_plan_says_when_it_extrapolates_and_when_it_does_not_know(clone):
    target = "results/laptop/scores/dsprites_dip_vae_ii/dci.csv"
    done = clone.make("plan", f"TARGET={target}", "SCALE=laptop")
    assert re.search(r"^train_model +12 +0 +12 .* smoke scale$", done.stdout, re.MULTILINE)
    assert "Extrapolated from the smoke scale" in done.stdout
    assert re.search(r"could tell the cost of .*12 x score_run", done.stdout)


def test_a_workflow_lists_its_jobs_so_that_it_can_be_watched(clone, monkeypatch):
    (clone.folder / "results/smoke/figures/fig9.csv").unlink()
    clone.build()
    monkeypatch.chdir(clone.folder)
    listed = read_list(newest_list())
    assert [job.rule for job in listed] == ["draw_figure", "publish_figure"]
    assert all(path.is_file() for job in listed for path in (job.output, job.log))
    seen = clone.make("watch")
    assert re.search(r"^together +2 +2 +0 +0 +0 +0$", seen.stdout, re.MULTILINE), seen.stdout
    assert "all done" in seen.stdout
    assert "No workflow is running in this folder any more" in seen.stdout


def test_watching_a_folder_in_which_nothing_was_started(unbuilt):
    done = unbuilt.latents("watch", "--once")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "no workflow was started in this folder" in done.stderr
