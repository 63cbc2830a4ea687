"""The page of an audit as people use it."""

import pytest

from latents.provenance.audit import STALE, TAMPERED
from latents.provenance.audit_page import write_page
from tests.made_up import changed, made_up_audit, model_paths

DATASET = "results/datasets/dsprites.h5"


@pytest.fixture
def opened(browser, tmp_path):
    """The page of a chain with a tampered model and a stale table, in the browser."""
    audit = made_up_audit(tmp_path, strengths=2, seeds=3)
    audit = changed(audit, model_paths(audit)[0], verdict=TAMPERED, reasons=["it was edited"])
    path = "results/paper/variables/dsprites_cell_0.csv"
    audit = changed(audit, path, verdict=STALE, reasons=["the tolerance changed"])
    write_page(tmp_path / "audit.html", audit, tmp_path)
    browser.open(tmp_path / "audit.html")
    yield browser, audit
    assert browser.complaints() == []
    assert browser.requests() == [(tmp_path / "audit.html").as_uri()]


def panel(browser) -> str:
    return browser.find("#panel")[0].text


def select(browser, path: str) -> None:
    browser.find(f'.squares [aria-label^="{path}"]')[0].click()
    wait_for(browser, path)


def wait_for(browser, path: str) -> None:
    browser.wait(lambda: panel(browser).startswith(path))


def test_every_artefact_is_a_visible_square_with_its_verdict(opened):
    browser, audit = opened
    squares = {s.get_attribute("aria-label"): s for s in browser.find(".squares button")}
    assert set(squares) == {f"{n.path}, {n.verdict}" for n in audit.nodes.values()}
    assert all(square.is_displayed() for square in squares.values())
    letters = {label.split(", ")[1]: square.text for label, square in squares.items()}
    assert letters == {"fresh": "", "stale": "S", "tampered": "T"}
    assert len(browser.find("#links path")) == 8  # between 7 boxes


def test_no_box_overlaps_another(opened):
    browser, _ = opened
    boxes = [box.rect for box in browser.find(".box")]
    for number, a in enumerate(boxes):
        for b in boxes[:number]:
            beside = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
            below = a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]
            assert beside or below


def test_a_click_shows_the_record_and_links_lead_on(opened):
    browser, audit = opened
    model = model_paths(audit)[1]
    select(browser, model)
    said = panel(browser)
    for expected in ("fresh", "2026-01-02 03:04:05", "3600.5 s", "773 MB", "budget.steps\n", "log"):
        assert expected.strip() in said
    points = browser.find(".curve .loss")[0].get_attribute("points").split()
    assert len(points) == 100
    assert [label.text for label in browser.find(".curve text")][-2:] == ["step", "loss"]
    browser.driver.find_element("link text", DATASET).click()
    wait_for(browser, DATASET)
    assert "this is a beginning" in panel(browser)
    browser.driver.back()
    wait_for(browser, model)


def test_what_is_not_fresh_comes_first_and_leads_to_its_record(opened):
    browser, audit = opened
    assert "2 of 17 artefacts are not fresh" in browser.find("#answer")[0].text
    troubles = browser.find("#troubles")[0]
    assert "1 × tampered, train model: it was edited" in troubles.text
    assert troubles.location["y"] < browser.find("#graph")[0].location["y"]
    troubles.find_element("link text", model_paths(audit)[0]).click()
    wait_for(browser, model_paths(audit)[0])
    assert "it was edited" in panel(browser)


def test_search_and_verdicts_filter(opened):
    browser, _ = opened
    browser.find("#search")[0].send_keys("strength_1/seed_2")
    shown = [s for s in browser.find(".squares button") if s.is_displayed()]
    assert len(shown) == 2  # the model and its representation
    assert browser.find("#count")[0].text == "2 of 17 artefacts"
    assert len(browser.find("#links path")) == 1
    browser.find("#search")[0].clear()
    browser.find("#search")[0].send_keys(" ")
    for button in browser.find("#verdicts button"):
        if not button.text.endswith("tampered"):
            button.click()
    shown = [s.text for s in browser.find(".squares button") if s.is_displayed()]
    assert shown == ["T"]


def test_the_keyboard_reaches_every_square(opened):
    from selenium.webdriver.common.keys import Keys

    browser, _ = opened
    first = browser.find('.box[aria-label^="train model"] button')[0]
    browser.driver.execute_script("arguments[0].focus()", first)
    reached = set()
    for _ in range(6):
        focused = browser.driver.switch_to.active_element
        reached.add(focused.get_attribute("aria-label"))
        assert browser.find("#tip")[0].text.startswith(focused.get_attribute("aria-label")[:40])
        focused.send_keys(Keys.ARROW_RIGHT)
    assert len(reached) == 6
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    wait_for(browser, "results/paper/models/dsprites_cell_0/strength_1/seed_2")
    browser.driver.switch_to.active_element.send_keys(Keys.TAB)
    following = browser.driver.switch_to.active_element.get_attribute("aria-label")
    assert following.startswith("results/paper/representations")


def test_a_figure_of_three_hundred_trainings_can_be_used(browser, tmp_path):
    audit = made_up_audit(tmp_path, strengths=6, seeds=50)
    write_page(tmp_path / "audit.html", audit, tmp_path)
    browser.open(tmp_path / "audit.html")
    squares = browser.find(".squares button")
    assert len(squares) == len(audit.nodes) == 605
    assert squares[-1].is_displayed()
    assert min(square.size["width"] for square in squares[::50]) >= 10  # pixels
    scroll = browser.find("#scroll")[0]
    assert scroll.get_property("scrollWidth") <= scroll.get_property("clientWidth")  # all in view
    select(browser, model_paths(audit)[299])
    assert len(browser.find(".squares button:not(.unrelated)")) == 7
    assert browser.complaints() == []
