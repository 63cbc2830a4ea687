"""Less disk: what was dropped makes nothing stale."""

import re

from latents.runtime.record import record_path
from tests.workflow.clones import SMALL, Clone, copy_of_project

RUN = "dsprites_dip_vae_ii/strength_5/seed_0"
EVALUATION = f"results/smoke/evaluations/{RUN}.h5"
SAP, BETA = (f"results/smoke/scores/{RUN}/{m}.csv" for m in ("sap_score", "beta_vae_score"))
FRUGAL = (*SMALL, "keep=figures")
AGAIN = {"encode_evaluation": 1, "score_run": 1}


def audit(clone: Clone):
    return clone.latents("audit", SAP)


def test_an_evaluation_is_dropped_once_used_and_nothing_becomes_stale(clone):
    clone.build(*FRUGAL, targets=(SAP,))
    assert not (clone.folder / EVALUATION).exists()
    assert record_path(clone.folder / EVALUATION).exists()
    for config in (FRUGAL, SMALL):
        assert not clone.plan(*config, targets=(SAP,))
    clone.forget()
    assert not clone.plan(*FRUGAL, targets=(SAP,))
    done = audit(clone)
    assert done.returncode == 0, done.stdout
    assert re.search(rf"fresh +{EVALUATION}  \[encode_evaluation, dropped once used\]", done.stdout)


def test_what_would_have_made_a_dropped_file_stale_still_does(clone):
    clone.build(*FRUGAL, targets=(SAP,))
    assert clone.plan(*FRUGAL, "test_examples=400", targets=(SAP,)) == AGAIN
    clone.edit(
        "latents/evaluation/evaluation_draws.py", "POINTS_AT_ONCE = 512", "POINTS_AT_ONCE = 256"
    )
    assert clone.plan(*FRUGAL, targets=(SAP,)) == AGAIN
    done = audit(clone)
    assert done.returncode != 0
    assert re.search(rf"stale +{EVALUATION}", done.stdout)


def test_another_score_encodes_it_again_and_the_first_comes_out_again(clone):
    """Snakemake makes all that was made from a file again when it makes the file again."""
    clone.build(*FRUGAL, targets=(SAP,))
    first = (clone.folder / SAP).read_bytes()
    assert clone.plan(*FRUGAL, targets=(SAP, BETA)) == {**AGAIN, "score_run": 2}
    clone.build(*FRUGAL, targets=(SAP, BETA))
    assert (clone.folder / SAP).read_bytes() == first
    assert not (clone.folder / EVALUATION).exists()
    assert not clone.plan(*SMALL, targets=(SAP, BETA))


def test_a_plan_tells_what_would_be_dropped(clone):
    clone.build(*SMALL, targets=(SAP,))
    more = " ".join(("scale=smoke", "seeds=2", "steps=40"))
    target = "results/smoke/scores/dsprites_dip_vae_ii/sap_score.csv"
    said = [
        clone.make("plan", f"TARGET={target}", f"CONFIG=--config {more} {keep}").stdout
        for keep in ("", "keep=figures")
    ]
    assert re.search(r"With --config keep=figures it would be [\d.]+ [kM]B less", said[0]), said[0]
    assert re.search(r"^encode_evaluation +12 +\d+ .* 0.0 B +measured$", said[1], re.MULTILINE)


def test_dropped_files_travel_and_are_verified_by_their_records(clone, tmp_path):
    other = copy_of_project(tmp_path / "other")
    clone.build(*FRUGAL, targets=(SAP,))
    file = tmp_path / "sap.pack.zip"
    for done in (
        clone.make("pack", f"TARGET={SAP}", f"FILE={file}"),
        other.make("unpack", f"FILE={file}"),
        clone.latents("verify", SAP, "--sample", "1"),
    ):
        assert done.returncode == 0, done.stdout + done.stderr
    assert not other.plan(*FRUGAL, targets=(SAP,))
    assert other.make("unpack", f"FILE={file}").returncode == 0


def test_what_was_made_to_stay_stays(clone):
    clone.build(*SMALL, targets=(SAP,))
    clone.build(*FRUGAL, targets=(SAP, BETA))
    assert (clone.folder / EVALUATION).exists()
    assert audit(clone).returncode == 0
