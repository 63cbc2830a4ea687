"""An audit says no where it must, at the right artefact, and yes where it may."""

import json
import shutil
from pathlib import Path

import pytest

from latents.runtime.identifier import read_identifier
from latents.runtime.record import job_key, read_record, record_path, sealed
from latents.workflow.dry_run import planned_jobs
from tests.conftest import ROOT
from tests.made_up import make_up
from tests.workflow.clones import Clone

FIGURE = "figures/fig9.pdf"
MODEL = "results/smoke/models/dsprites_dip_vae_ii/strength_1/seed_0/model.safetensors"
OTHER = MODEL.replace("strength_1", "strength_2")
CODES = "results/smoke/representations/dsprites_dip_vae_ii/strength_1/seed_0.h5"
SCORES = "results/smoke/scores/dsprites_dip_vae_ii/averaged_mutual_information.csv"
IMAGES = "results/datasets/dsprites.h5"


def audit(clone, target: str = FIGURE) -> tuple[int, dict]:
    """Exit code, and verdict and reasons of every artefact."""
    done = clone.latents("audit", target, "--json")
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    assert not found["remark"]
    return done.returncode, {node["path"]: node for node in found["nodes"]}


def change_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def edit_record(path: Path, **new) -> None:
    record = json.loads(record_path(path).read_text())
    record_path(path).write_text(json.dumps({**record, **new}))


def test_an_honest_tree_is_fresh_without_snakemakes_own_memory(clone):
    clone.forget()
    code, nodes = audit(clone)
    assert code == 0
    assert {node["verdict"] for node in nodes.values()} == {"fresh"}
    assert {FIGURE, MODEL, CODES, SCORES, IMAGES} <= set(nodes)
    text = clone.latents("audit", FIGURE).stdout
    assert "6 models, 1 seed, 240 steps" in text
    assert "data: dSprites re-rendered" in text


@pytest.mark.parametrize("path", [MODEL, SCORES, FIGURE])
def test_one_changed_byte_shows_where_it_is(clone, path):
    change_a_byte(clone.folder / path)
    code, nodes = audit(clone)
    assert code == 1
    assert nodes[path]["verdict"] == "tampered"
    assert [p for p, node in nodes.items() if node["verdict"] == "tampered"] == [path]
    readers = [node for node in nodes.values() if path in node["inputs"]]
    assert all(node["reasons"] == [f"{path} is not the file it was made from"] for node in readers)
    assert nodes[IMAGES]["verdict"] == "fresh"


def test_an_edited_record_shows(clone):
    edit_record(clone.folder / MODEL, seconds=1.0)
    code, nodes = audit(clone)
    assert (code, nodes[MODEL]["verdict"]) == (1, "tampered")
    assert nodes[MODEL]["reasons"] == ["its record was edited"]


def test_a_resealed_record_of_other_parameters_shows(clone):
    """The seal can be renewed, but then the job is not the one of this tree."""
    record = read_record(clone.folder / MODEL)
    record["job"]["values"]["budget"]["steps"] = 4000
    record["key"] = job_key(record["job"], record["inputs"])
    record_path(clone.folder / MODEL).write_text(json.dumps(sealed(record)))
    code, nodes = audit(clone)
    assert (code, nodes[MODEL]["verdict"]) == (1, "stale")
    assert nodes[MODEL]["reasons"] == ["steps 4000 → 40"]


def test_swapped_models_show_with_and_without_their_records(clone):
    swap(clone.folder / MODEL, clone.folder / OTHER)
    code, nodes = audit(clone)
    assert code == 1
    assert {nodes[MODEL]["verdict"], nodes[OTHER]["verdict"]} == {"tampered"}
    swap(record_path(clone.folder / MODEL), record_path(clone.folder / OTHER))
    code, nodes = audit(clone)
    assert code == 1
    assert nodes[MODEL]["reasons"] == ["its record is that of another file"]
    assert nodes[OTHER]["reasons"] == ["its record is that of another file"]


def swap(a: Path, b: Path) -> None:
    aside = a.with_name("aside")
    a.rename(aside)
    b.rename(a)
    aside.rename(b)


def test_a_changed_loss_makes_its_trainings_stale_and_what_follows(clone):
    clone.edit(
        "latents/models/objectives/dip_vae.py", "def forward", "unused = 1\n\n    def forward"
    )
    code, nodes = audit(clone)
    assert code == 1
    models = [n for n in nodes.values() if n["step"] == "train_model"]
    assert all(
        node["reasons"] == ["latents/models/objectives/dip_vae.py: DipVae changed"]
        for node in models
    )
    assert nodes[IMAGES]["verdict"] == "fresh"
    assert nodes[CODES]["reasons"] == [f"{MODEL} is stale"]
    assert nodes[FIGURE]["verdict"] == "stale"


def test_a_changed_configuration_is_named(clone):
    clone.edit("config/scales/smoke.yaml", "learning_rate: 0.001", "learning_rate: 0.002")
    code, nodes = audit(clone)
    assert code == 1
    assert nodes[MODEL]["reasons"] == ["learning_rate 0.001 → 0.002"]
    assert nodes[IMAGES]["verdict"] == "fresh"


def test_missing_files_and_missing_records_are_told_apart(clone):
    (clone.folder / CODES).unlink()
    record_path(clone.folder / MODEL).unlink()
    code, nodes = audit(clone)
    assert code == 1
    assert nodes[CODES]["verdict"] == "missing"
    assert nodes[MODEL]["verdict"] == "unknown"
    assert f"{CODES} is missing" in nodes[SCORES]["reasons"]


def test_uncommitted_changes_are_told_but_do_not_make_anything_stale(clone):
    clone.git("init", "-q")
    clone.git("add", "-A")
    clone.git("commit", "-q", "-m", "all")
    with (clone.folder / "scripts" / "draw_figure.py").open("a") as file:
        file.write("# a comment\n")
    (clone.folder / "results/smoke/figures/fig9.pdf").unlink()
    clone.build()
    record = read_record(clone.folder / "results/smoke/figures/fig9.pdf")
    assert record["code"]["changed"] == ["scripts/draw_figure.py"]
    code, nodes = audit(clone)
    assert code == 0
    assert {node["verdict"] for node in nodes.values()} == {"fresh"}
    assert "with uncommitted changes" in clone.latents("audit", FIGURE).stdout


def test_a_copy_is_recognised_by_its_bytes_and_a_changed_copy_is_not(clone, tmp_path):
    copy = tmp_path / "downloaded.pdf"
    shutil.copyfile(clone.folder / FIGURE, copy)
    code, nodes = audit(clone, str(copy))
    assert code == 0
    assert MODEL in nodes
    change_a_byte(copy)
    done = clone.latents("audit", str(copy))
    assert done.returncode == 1
    assert "no artefact of this tree has these bytes, although it carries the identifier" in (
        done.stderr
    )


@pytest.mark.parametrize("path", [MODEL, CODES, FIGURE, IMAGES])
def test_an_artefact_carries_the_identifier_of_its_record(built, path):
    carried = read_identifier(built.folder / path)
    record = read_record(built.folder / path)
    if record["step"] == "publish_figure":  # a copy carries the identifier of what was drawn
        record = read_record(built.folder / "results/smoke" / path)
    assert carried == record["identifier"]


def test_a_point_leads_to_its_makers(clone):
    where = ("panel=a", "strength=50", "representation=mean")
    done = clone.latents("trace", "figures/fig9.csv", *where)
    assert done.returncode == 0, done.stderr
    run = "dsprites_dip_vae_ii/strength_50/seed_0"
    assert SCORES in done.stdout
    assert f"results/smoke/representations/{run}.h5" in done.stdout
    assert f"results/smoke/models/{run}/model.safetensors" in done.stdout
    assert "strength_20" not in done.stdout
    wrong = clone.latents("trace", "figures/fig9.csv", "strength=51")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (1, 1)
    assert "strength is 1, 2, 5, 10, 20, 50, not 51" in wrong.stderr


def test_every_point_of_the_figure_is_the_mean_of_its_rows_and_a_changed_one_is_not(clone):
    done = clone.latents("trace", "figures/fig9.csv")
    assert done.returncode == 0, done.stdout
    table = clone.folder / "results/smoke/figures/fig9.csv"
    lines = table.read_text().splitlines()
    column = lines[0].split(",").index("mean")
    words = lines[1].split(",")
    words[column] = "0.5"
    table.write_text("\n".join([lines[0], ",".join(words), *lines[2:]]) + "\n")
    done = clone.latents("trace", "figures/fig9.csv")
    assert done.returncode == 1
    assert "which is not what the figure shows" in done.stdout


def test_a_figure_of_three_hundred_models_is_audited_whole(tmp_path):
    given = ["--config", "scale=paper"]
    plan = planned_jobs([FIGURE], ["--forceall", *given], tmp_path)
    make_up(tmp_path, plan, {"scale": "paper"})
    words = ("audit", "fig9", "--directory", str(tmp_path))
    done = Clone(ROOT).latents(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "300 models, 50 seeds, 90,000,000 steps" in done.stdout
    change_a_byte(tmp_path / MODEL.replace("smoke", "paper"))
    done = Clone(ROOT).latents(*words)
    assert done.returncode == 1
    assert "; 300 models" in done.stdout
    assert " 1 tampered" in done.stdout
