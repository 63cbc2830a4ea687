"""`make audit`, and its page of a chain that was really built."""

import sys

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
