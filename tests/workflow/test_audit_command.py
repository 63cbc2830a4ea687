"""`make audit`, and its page of a chain that was really built."""

import json
import sys
from collections import Counter
from importlib.metadata import version as installed

from latents.runtime.record import read_record, record_path, sealed
from tests.workflow.clones import SMALL, Clone

TABLE = "results/smoke/variables/dsprites_dip_vae_ii.csv"
MODEL = "results/smoke/models/dsprites_dip_vae_ii/strength_1/seed_0/model.safetensors"


def test_make_audit_writes_a_page_and_fails_if_something_is_not_fresh(clone):
    page = clone.folder / "results" / "audit.html"
    done = clone.make("audit")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "20 artefacts: 20 fresh" in done.stdout
    assert "results/audit.html" in done.stderr
    assert "20 artefacts: 20 fresh" in page.read_text()
    with (clone.folder / "figures" / "fig9.pdf").open("ab") as file:
        file.write(b"edited")
    done = clone.make("audit")
    assert done.returncode != 0
    assert "19 fresh, 1 tampered" in page.read_text()


def test_the_page_of_a_real_chain_shows_records_logs_and_curves(built, browser, tmp_path):
    page = tmp_path / "audit.html"
    built.latents("audit", "figures/fig9.pdf", "--html", str(page))
    browser.open(page)
    browser.find(f'.squares [aria-label^="{MODEL}"]')[0].click()
    browser.wait(lambda: browser.find("#panel")[0].text.startswith(MODEL))
    said = browser.find("#panel")[0].text
    for expected in ("objective.options.lambda_od 1", "packages.torch", "step 40/40"):
        assert expected in said
    assert len(browser.find(".curve .loss")[0].get_attribute("points").split()) == 40
    assert browser.complaints() == []
    assert browser.requests() == [page.as_uri()]


def test_an_audit_ends_quietly_where_its_reader_has_enough(built):
    command = (sys.executable, "-m", "latents.commands", "audit", "figures/fig9.pdf", "--every")
    done = built.run("bash", "-c", '"$@" | head -n 1', "bash", *command)
    assert done.stdout == "fresh    figures/fig9.pdf  [publish_figure]\n"
    assert done.stderr == ""


def pretend_other_numpy(clone: Clone) -> None:
    """A table that was made with another version, as its record tells."""
    path = clone.folder / TABLE
    record = read_record(path)
    record["environment"]["packages"]["numpy"] = "1.0"
    record_path(path).write_text(json.dumps(sealed(record)))


def test_other_versions_are_listed_and_stale_for_those_who_want_it(clone):
    same = clone.latents("audit", "fig9", "--environment")
    assert "every artefact was made with the versions that are installed here" in same.stdout
    counting = (*SMALL, "stale_with_packages=true")
    assert clone.plan(*counting) == Counter()
    pretend_other_numpy(clone)
    done = clone.latents("audit", "fig9", "--environment")
    assert done.returncode == 0, done.stdout
    assert f"made with numpy 1.0, here {installed('numpy')}: {TABLE}" in done.stdout
    assert clone.plan() == Counter()
    assert clone.plan(*counting)["classify_variables"] == 1
    why = clone.latents("why", "fig9", "--config", *counting)
    assert "classify_variables dsprites_dip_vae_ii: made with numpy 1.0, here" in why.stdout
    clone.build(*counting)
    assert read_record(clone.folder / TABLE)["environment"]["packages"]["numpy"] != "1.0"
    assert clone.plan(*counting) == Counter()
