"""Boxes of an audit: who is together, and that everything flows from left to right."""

from dataclasses import replace

from latents.provenance.audit import Audit
from latents.provenance.audit_chart import MOST_SINGLES, chart
from tests.made_up import made_up_audit


def test_a_box_holds_one_step_of_one_cell(tmp_path):
    drawn = chart(made_up_audit(tmp_path, cells=2, strengths=2, seeds=3))
    sizes = {(box.step, box.subject): len(box.nodes) for box in drawn.boxes}
    assert sizes["train_model", "dsprites_cell_0"] == sizes["train_model", "dsprites_cell_1"] == 6
    assert sizes["prepare_dataset", "dsprites"] == 1
    assert sizes["publish_figure", "fig9"] == 1


def test_columns_are_stages_and_links_go_from_left_to_right(tmp_path):
    drawn = chart(made_up_audit(tmp_path, cells=2))
    tables = ["Scores and tables"] * 2
    assert drawn.stages == ["Data", "Models", "Representations", *tables, "Figures", "Figures"]
    assert all(drawn.boxes[a].column < drawn.boxes[b].column for a, b in drawn.links)
    named = {(drawn.boxes[a].step, drawn.boxes[b].step) for a, b in drawn.links}
    assert ("prepare_dataset", "encode_representation") in named


def test_runs_are_in_the_order_of_their_numbers(tmp_path):
    drawn = chart(made_up_audit(tmp_path, strengths=1, seeds=11))
    models = next(box for box in drawn.boxes if box.step == "train_model")
    assert [path.split("/")[-2] for path in models.nodes] == [f"seed_{i}" for i in range(11)]


def test_many_subjects_of_one_artefact_share_a_box(tmp_path):
    audit = made_up_audit(tmp_path)
    table = next(node for node in audit.nodes.values() if node.step == "classify_variables")
    claims = [f"results/paper/claims/claim_{i}.csv" for i in range(MOST_SINGLES + 1)]
    added = {path: replace(table, path=path, step="check_claim") for path in claims}
    drawn = chart(Audit(audit.target, {**audit.nodes, **added}))
    shared = [box for box in drawn.boxes if box.step == "check_claim"]
    assert [(box.subject, len(box.nodes)) for box in shared] == [("several subjects", 9)]
