"""Crates of a made-up chain: complete, true to the files, the same twice, and valid."""

import hashlib
import json
import os
import shutil
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from rocrate.rocrate import ROCrate

from latents.provenance.chain import read_chain
from latents.provenance.crate import LICENCE, build_crate, source_files, write_crate
from latents.runtime.errors import Problem
from latents.runtime.fingerprint import Fingerprint, fingerprint
from latents.runtime.record import digest, forget, job_key, read_record, record_path, sealed
from tests.conftest import ROOT

ORIGINAL, DATASET = "data/images with a space.npz", "results/datasets/shapes.h5"
MODEL, HISTORY = "results/smoke/models/a/model.safetensors", "results/smoke/models/a/history.csv"
DRAWN, FIGURE, CAPTION = "results/smoke/figures/fig.pdf", "figures/fig.pdf", "figures/fig.txt"
LARGE = {DATASET, MODEL}
VALIDATOR = os.environ.get("ROCRATE_VALIDATOR") or shutil.which("rocrate-validator")


def make(step: str, inputs: list[str], *outputs: str, also_read: str = "", **values) -> None:
    """Files and their record as the harness would have left them."""
    for name in outputs:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(f"{name}, made by {step}\n")
    code = fingerprint(step)
    job = {"code": code.digest, "modules": [], "command": "c", "values": values}
    read = {name: digest(Path(name)) for name in inputs}
    facts = {
        "step": step,
        "key": job_key(job, read),
        "job": job,
        "units": code.units,
        "inputs": read,
        "outputs": {name: digest(Path(name)) for name in outputs},
        "also_read": {also_read: digest(Path(also_read))} if also_read else {},
        "configuration": {"scale": "smoke", "seeds": 1},
        "code": {"commit": None, "changed": []},
        "environment": {
            "python": "3.11.7", "packages": {"numpy": "2.4.6", "torch": "2.13.0+cpu"},
            "snakemake": "9.27.1", "system": "Linux x86_64", "cpu": "a processor",
        },
        "started": "2024-01-02T03:04:05+00:00",
        "seconds": 61.5,
    }  # fmt: skip
    place = record_path(Path(outputs[0]))
    place.parent.mkdir(exist_ok=True)
    place.write_text(json.dumps(sealed(facts), sort_keys=True))


@pytest.fixture
def tree(tmp_path: Path, monkeypatch) -> Path:
    """original → dataset → model and history → drawn figure → published figure"""
    monkeypatch.chdir(tmp_path)
    Path(ORIGINAL).parent.mkdir()
    Path(ORIGINAL).write_text("somebody's images")
    make("prepare_dataset", [], DATASET, also_read=ORIGINAL)
    make("train_model", [DATASET], MODEL, HISTORY, seed=3, budget={"steps": 40, "rate": 1e-3})
    make("draw_figure", [MODEL, HISTORY], DRAWN, row={"title": "β"}, note=None)
    make("publish_figure", [DRAWN], FIGURE, CAPTION, scale_name="smoke")
    return tmp_path


def recorded(path: str):
    return read_record(Path(path))


def export(name: str = "a.zip", *, by_value: bool = False) -> zipfile.ZipFile:
    chain = read_chain(FIGURE, recorded)
    crate = build_crate(chain, [FIGURE, CAPTION], source_files(), by_value=by_value)
    write_crate(crate, Path(name), "record 0123456789abcdef")
    return zipfile.ZipFile(name)


def entities(archive: zipfile.ZipFile) -> dict[str, dict]:
    graph = json.loads(archive.read("ro-crate-metadata.json"))["@graph"]
    assert len({entity["@id"] for entity in graph}) == len(graph)
    return {entity["@id"]: entity for entity in graph}


def ids(value) -> set[str]:
    return {one["@id"] for one in (value if isinstance(value, list) else [value])}


def files(found: dict[str, dict]) -> dict[str, dict]:
    return {i: entity for i, entity in found.items() if "File" in entity["@type"]}


def test_every_job_is_an_action_of_its_script_on_its_files_and_values(tree):
    found = entities(export())
    action = found[f"#job/{HISTORY}"]
    assert ids(action["instrument"]) == {"scripts/train_model.py"}
    assert ids(action["result"]) == {HISTORY, f"#{MODEL}"}
    assert ids(action["subjectOf"]) == {str(record_path(Path(MODEL)))}
    assert (action["startTime"], action["endTime"]) == (
        "2024-01-02T03:04:05+00:00",
        "2024-01-02T03:05:06+00:00",
    )
    told = {found[i]["name"]: found[i].get("value") for i in ids(action["object"])}
    assert told == {DATASET: None, "seed": 3, "budget": '{"rate":0.001,"steps":40}'}
    jobs = [i for i in found if i.startswith("#job/")]
    assert len(jobs) == 4
    assert {found[i]["@type"] for i in jobs} == {"CreateAction"}
    assert ids(found["#organisation"]["object"]) == {i.replace("#job", "#control") for i in jobs}
    assert {*jobs, "#run", "#organisation"} == ids(found["./"]["mentions"])


def test_the_run_goes_from_what_was_given_to_the_figure(tree):
    found = entities(export())
    told = {found[i]["name"]: found[i].get("value") for i in ids(found["#run"]["object"])}
    assert told == {ORIGINAL: None, "scale": "smoke", "seeds": 1}
    assert ids(found["#run"]["result"]) == {FIGURE, CAPTION}
    assert ids(found["#run"]["instrument"]) == ids(found["./"]["mainEntity"]) == {"Snakefile"}
    assert found["./"]["description"] == f"{CAPTION}, made by publish_figure"


def test_software_has_its_version(tree):
    found = entities(export())
    needed = ids(found["scripts/train_model.py"]["softwareRequirements"])
    versions = {found[i]["name"]: found[i]["softwareVersion"] for i in needed}
    assert versions == {"Python": "3.11.7", "numpy": "2.4.6", "torch": "2.13.0+cpu"}


@pytest.mark.parametrize("by_value", [False, True])
def test_every_file_has_its_digest_and_large_ones_come_on_request(tree, by_value):
    archive = export(by_value=by_value)
    found, shipped = files(entities(archive)), set(archive.namelist()) - {"ro-crate-metadata.json"}
    assert {i for i in found if not i.startswith("#")} == shipped
    for name in shipped:
        assert found[name]["sha256"] == hashlib.sha256(archive.read(name)).hexdigest()
        assert found[name]["contentSize"] == str(archive.getinfo(name).file_size)
    named = {i: entity for i, entity in found.items() if i.startswith("#")}
    assert {e["name"] for e in named.values()} == {ORIGINAL} | (set() if by_value else LARGE)
    for entity in named.values():
        assert entity["sha256"] == digest(Path(entity["name"]))
    assert shipped >= {
        FIGURE,
        HISTORY,
        str(record_path(Path(MODEL))),
        "Snakefile",
        "latents/provenance/crate.py",
    }
    assert ids(entities(archive)["./"]["hasPart"]) == set(found)


def test_equal_content_gives_equal_bytes(tree):
    export("a.zip")
    for path in tree.rglob("*.csv"):
        os.utime(path, (0, 0))
    export("b.zip")
    assert Path("a.zip").read_bytes() == Path("b.zip").read_bytes()
    make("publish_figure", [DRAWN], FIGURE, CAPTION, scale_name="laptop")
    export("b.zip")
    assert Path("a.zip").read_bytes() != Path("b.zip").read_bytes()


def test_the_library_reads_what_it_wrote(tree):
    read = ROCrate(export().filename)
    assert read.mainEntity.id == "Snakefile"
    assert len(read.get_by_type("CreateAction")) == 5


def test_what_a_job_read_besides_its_inputs_may_be_gone(tree):
    then = digest(Path(ORIGINAL))
    Path(ORIGINAL).unlink()
    gone = next(e for e in entities(export()).values() if e.get("name") == ORIGINAL)
    assert gone["sha256"] == then
    assert "contentSize" not in gone


@pytest.mark.parametrize("path", [ORIGINAL, DATASET, MODEL, HISTORY, FIGURE])
def test_a_changed_file_is_refused(tree, path):
    Path(path).write_text("another")
    with pytest.raises(Problem, match=f"^{path} is not the file that the record of .* tells of"):
        export()


def test_a_missing_file_is_refused(tree):
    Path(MODEL).unlink()
    with pytest.raises(Problem, match=f"^{MODEL} is not there any more$"):
        export()


@pytest.mark.parametrize("path", [DATASET, HISTORY])
def test_a_missing_record_is_refused(tree, path):
    forget(Path(path))
    with pytest.raises(Problem, match=f"^nothing records how {path} was made"):
        export()


def test_a_sibling_of_another_job_is_refused(tree):
    make("train_model", [DATASET], HISTORY)
    with pytest.raises(Problem, match=f"^{MODEL} and {HISTORY} were not made by the same job"):
        read_chain(MODEL, recorded)


def test_an_edited_record_is_refused(tree):
    path = record_path(Path(DRAWN))
    path.write_text(path.read_text().replace("61.5", "60.5"))
    with pytest.raises(Problem, match=f"the record of {DRAWN} was edited"):
        export()


def test_a_record_of_a_file_outside_is_refused(tree):
    make("train_model", [], MODEL, "results/../outside.csv")
    with pytest.raises(Problem, match=r"outside\.csv lies outside of the folder of its chain"):
        read_chain(MODEL, recorded)


def test_changed_code_is_refused(tree, monkeypatch):
    def edited(step: str, modules: tuple[str, ...]) -> Fingerprint:
        units = {path: dict(names) for path, names in fingerprint(step).units.items()}
        units["latents/data/images.py"]["write_images"] = "another"
        return replace(fingerprint(step), digest="another", units=units)

    for module in ("provenance.chain", "workflow.differences"):
        monkeypatch.setattr(f"latents.{module}.fingerprint", edited)
    with pytest.raises(Problem, match=r"latents/data/images\.py: write_images changed since"):
        export()


def test_the_sentence_on_the_licence_is_true():
    assert LICENCE == "The repository of the project states no licence."
    assert not [path for path in ROOT.iterdir() if path.name.lower().startswith("licen")]


@pytest.mark.skipif(
    not VALIDATOR,
    reason="rocrate-validator is neither on the PATH nor named by ROCRATE_VALIDATOR; "
    "`latents crate-check` installs it in .venv-crate/bin",
)
@pytest.mark.parametrize("by_value", [False, True])
def test_crates_are_valid(tree, by_value):
    python = Path(VALIDATOR).with_name("python")
    crate = export(by_value=by_value).filename
    command = [python, "-m", "latents.provenance.crate_validation", crate, "required"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    assert done.stdout.count(": valid") == 3
