"""The page of an audit: all of it, nothing that breaks out, and not too much."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from latents.provenance.audit import MISSING, STALE, TAMPERED, Audit
from latents.provenance.audit_page import (
    CURVE_POINTS,
    LOG_LINES,
    page,
    page_data,
    troubles,
    write_page,
)
from latents.runtime.errors import Problem
from latents.runtime.record import digest
from tests.made_up import changed, made_up_audit, model_paths

BREAK_OUT = "</script><script>alert(1)</script><!-- β"


def data_of(text: str) -> dict:
    return json.loads(re.search(r'type="application/json">(.*?)</script>', text, re.DOTALL)[1])


def restored(data: dict, value: object) -> object:
    """What the page's script does with references."""
    if isinstance(value, list):
        return [restored(data, item) for item in value]
    if isinstance(value, dict):
        kept = data["shared"][value["@"]]
        if isinstance(kept, dict):
            return {key: restored(data, item) for key, item in kept.items()}
        return restored(data, kept)
    return value


@pytest.fixture
def audit(tmp_path) -> Audit:
    return made_up_audit(tmp_path)


def test_every_node_is_there_with_its_whole_record(audit, tmp_path):
    data = data_of(page(audit, tmp_path))
    assert [node["path"] for node in data["nodes"]] == list(audit.nodes)
    for shown, node in zip(data["nodes"], audit.nodes.values(), strict=True):
        assert restored(data, shown["record"]) == node.record
        assert [data["nodes"][place]["path"] for place in shown["inputs"]] == node.inputs
    assert sorted(place for box in data["boxes"] for place in box["nodes"]) == list(
        range(len(audit.nodes))
    )


def test_nothing_in_a_log_path_reason_or_record_becomes_markup(audit, tmp_path):
    path = model_paths(audit)[0]
    log = tmp_path / audit.nodes[path].log
    log.write_bytes(BREAK_OUT.encode() + b"\xff\n")
    record = {**audit.nodes[path].record, "settings": {"device": BREAK_OUT, "rate": float("nan")}}
    odd = changed(audit, path, verdict=STALE, reasons=[BREAK_OUT], record=record)
    odd = replace(odd, target=f"{BREAK_OUT}.pdf", nodes={**odd.nodes})
    odd.nodes[odd.target] = replace(odd.nodes.pop("figures/fig9.pdf"), path=odd.target)
    text = page(odd, tmp_path)
    assert text.count("</script>") == page(audit, tmp_path).count("</script>") == 2
    assert text.count("<!--") == 1  # the template's own
    data = data_of(text)
    shown = data["nodes"][list(odd.nodes).index(path)]
    assert restored(data, shown["lines"]) == BREAK_OUT + "\ufffd"
    assert shown["reasons"] == [BREAK_OUT]
    settings = restored(data, shown["record"])["settings"]
    assert settings == {"device": BREAK_OUT, "rate": "nan"}


def test_an_object_that_looks_like_a_reference_stays_itself(audit, tmp_path):
    path = audit.target
    record = {**audit.nodes[path].record, "settings": {"@": 0}}
    data = page_data(changed(audit, path, record=record), tmp_path)
    assert restored(data, data["nodes"][-1]["record"])["settings"] == {"@": 0}


def test_a_curve_has_the_points_of_the_history(audit, tmp_path):
    data = page_data(audit, tmp_path)
    models = [node for node in data["nodes"] if node["step"] == "train_model"]
    curve = restored(data, models[0]["curve"])
    assert curve["steps"] == list(range(3000, 300_001, 3000))
    assert curve["losses"][0] == pytest.approx(2000 / 3000 + 0.1234567, rel=1e-4)
    assert all(node["curve"] is None for node in data["nodes"] if node not in models)


def test_a_long_history_is_thinned_from_its_first_to_its_last_step(audit, tmp_path):
    rows = [f"{step},{step % 7}" for step in range(1, 5001)] + ["5001,nan"]
    curve = curve_after(audit, tmp_path, "step,loss\n" + "\n".join(rows), recorded=True)
    assert len(curve["steps"]) == len(curve["losses"]) == CURVE_POINTS
    assert (curve["steps"][0], curve["steps"][-1]) == (1, 5000)


@pytest.mark.parametrize(
    ("text", "recorded", "said"),
    [
        ("step,loss\n1,2\n", False, "is not the file that this training wrote"),
        ("step,reconstruction\n1,2\n", True, "cannot be read"),
        ("step,loss\n1,x\n", True, "cannot be read"),
    ],
)
def test_a_history_that_is_not_the_models_is_not_drawn(audit, tmp_path, text, recorded, said):
    assert said in curve_after(audit, tmp_path, text, recorded=recorded)


def curve_after(audit: Audit, folder: Path, text: str, *, recorded: bool):
    """The curve of a model with another history, which its record knows or not."""
    path = model_paths(audit)[0]
    name = path.replace("model.safetensors", "history.csv")
    (folder / name).write_text(text)
    record = audit.nodes[path].record
    if recorded:
        record = {**record, "outputs": {**record["outputs"], name: digest(folder / name)}}
    data = page_data(changed(audit, path, record=record), folder)
    return restored(data, data["nodes"][list(audit.nodes).index(path)]["curve"])


def test_a_page_shows_the_last_lines_of_a_log_and_no_log_is_no_trouble(audit, tmp_path):
    first, second = model_paths(audit)
    (tmp_path / audit.nodes[second].log).unlink()
    data = page_data(audit, tmp_path)
    lines = {node["path"]: restored(data, node["lines"]) for node in data["nodes"]}
    assert len(lines[first].splitlines()) <= LOG_LINES
    assert lines[first].splitlines()[-1].startswith("dsprites_cell_0/strength_0/seed_0: step 59/")
    assert lines[second] == ""


def test_causes_come_before_what_follows_from_them(audit):
    first, second = model_paths(audit)
    codes = next(path for path, node in audit.nodes.items() if first in node.inputs)
    audit = changed(audit, codes, verdict=STALE, reasons=[f"{first} is {TAMPERED}"])
    audit = changed(audit, second, verdict=MISSING, reasons=["the file is not there"])
    audit = changed(audit, first, verdict=TAMPERED, reasons=["its record was edited"])
    listed = [(t["follows"], t["verdict"], t["reasons"], t["nodes"]) for t in troubles(audit)]
    assert listed == [
        (False, TAMPERED, ("its record was edited",), [first]),
        (False, MISSING, ("the file is not there",), [second]),
        (True, STALE, (), [codes]),
    ]


def test_the_page_of_three_hundred_trainings_stays_small(tmp_path):
    large = made_up_audit(tmp_path, strengths=6, seeds=50)
    assert len(model_paths(large)) == 300
    assert len(page(large, tmp_path).encode()) < 5e6


def test_a_page_that_cannot_be_written_is_a_problem_and_leaves_nothing(audit, tmp_path):
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(Problem, match=r"cannot write .*folder\.html"):
        write_page(tmp_path / "folder.html", audit, tmp_path)
    assert not list(tmp_path.glob(".partial*"))
