"""Snakemake's own report of what is built: what it holds, and that a browser shows it."""

import base64
import html
import json
import re
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from latents.provenance.captions import claims_about
from latents.runtime.record import read_record
from latents.workflow import settings as config
from tests.workflow.clones import SMALL, Clone

PICTURE = "results/smoke/figures/fig9.png"
SETTINGS = config.load({})
CLAIMS = claims_about(SETTINGS.figures["fig9"], SETTINGS.claims)


@dataclass(frozen=True)
class Report:
    """A report's page and the variables that it draws itself from."""

    clone: Clone
    page: str

    def variable(self, name: str) -> Any:
        found = re.search(rf'<script id="[^"]+">\s+var {name} = (.*);\n', self.page)
        return json.loads(found.group(1))

    def caption(self, path: str) -> str:
        """As a reader sees it."""
        text = re.sub(r"<[^>]+>", " ", self.variable("results")[path]["caption"])
        return re.sub(r"\s+", " ", html.unescape(text))

    @property
    def audit(self) -> dict[str, str]:
        """What the first page says of figure 9."""
        table = self.variable("workflow_desc")
        rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("<tr")]
        header, row = (next(r for r in rows if r[:1] == [first]) for first in ("figure", "fig9"))
        return dict(zip(header, row, strict=True))


def make_report(clone: Clone) -> Report:
    done = clone.snakemake("built", "--report", "report.html", "--config", *SMALL)
    assert done.returncode == 0, done.stderr[-3000:]
    return Report(clone, (clone.folder / "report.html").read_text())


@pytest.fixture(scope="module")
def report(built: Clone, tmp_path_factory) -> Report:
    """Of figure 9 and the claims on its models; not to be changed."""
    folder = tmp_path_factory.mktemp("report") / "project"
    shutil.copytree(built.folder, folder, symlinks=True)
    clone = Clone(folder)
    clone.build(targets=("results/claims.csv",))
    return make_report(clone)


def test_a_figure_is_there_as_picture_pdf_and_numbers(report):
    results = report.variable("results")
    for suffix in (".png", ".pdf", ".csv"):
        path = str(Path(PICTURE).with_suffix(suffix))
        data = base64.b64decode(results[path]["data_uri"].partition("base64,")[2])
        assert data == (report.clone.folder / path).read_bytes()
        assert results[path]["labels"]["figure"].startswith("Figure 9")
        assert "Does the paper's effect show?" in report.caption(path)
    assert PICTURE in report.variable("categories")["Be More Active!"]["Truncated scores"]


def test_a_caption_says_what_is_claimed_what_was_found_and_at_which_scale(report):
    said = report.caption(PICTURE)
    for line in (report.clone.folder / "figures/fig9.txt").read_text().splitlines():
        assert line.strip() in said
    assert "smoke scale: 1 seed × 40 steps" in said
    assert len(CLAIMS) > 1
    for claim in CLAIMS:
        statement = SETTINGS.claims[claim]["statement"]
        assert f"{statement}: TOO LITTLE EVIDENCE (2 seeds are needed" in said
    assert "16 artefacts: 16 fresh; 6 models, 1 seed, 240 steps" in said


def test_the_table_of_claims_is_there(report):
    table = pd.read_csv(report.clone.folder / "results/claims.csv")
    said = report.caption("results/claims.csv")
    assert len(table) > len(CLAIMS)
    for row in table.itertuples():
        assert f"{row.paper}: {row.statement}: {row.verdict.upper()}" in said
    assert report.variable("categories")["Claims"] == {"Other": ["results/claims.csv"]}


def test_the_first_page_has_an_audit(report):
    wanted = {"audit": "fresh", "models": "6", "seeds": "1", "steps": "240"}
    assert {key: report.audit[key] for key in wanted} == wanted


def test_statistics_come_from_the_records(report):
    runs = report.variable("runtimes_spec")["data"]["values"]
    times = [run["runtime"] for run in runs if run["rule"] == "train_model"]
    recorded = [
        read_record(path)["seconds"]
        for path in report.clone.folder.glob(
            "results/smoke/models/dsprites_dip_vae_ii/*/*/model.safetensors"
        )
    ]
    assert sorted(times) == pytest.approx(sorted(recorded), abs=1e-3)
    assert len({run["rule"] for run in runs} & {"score_metric", "check_claim", "draw_figure"}) == 3
    rule = report.variable("rules")["train_model"]
    assert rule["n_jobs"] == 6
    assert any(line.startswith("torch ") for line in rule["conda_env"]["dependencies"])


def test_a_report_changes_nothing(report):
    assert report.clone.plan().total() == 0


def test_claims_that_were_not_tested_and_a_figure_that_is_stale(clone):
    clone.forget()
    clone.edit("latents/figures/plots/truncated_scores.py", "fontsize=10", "fontsize=11")
    report = make_report(clone)
    said = report.caption(PICTURE)
    assert f"{SETTINGS.claims[CLAIMS[0]]['statement']}: not tested yet; make claims" in said
    assert f"{PICTURE} is stale: latents/figures/plots/truncated_scores.py: draw changed" in said
    assert report.audit["audit"] == "stale"


def test_files_that_are_gone_and_settings_that_differ(clone):
    """A model thrown away, and seeds that were never trained: what is there is shown."""
    model = "results/smoke/models/dsprites_dip_vae_ii/strength_1/seed_0"
    shutil.rmtree(clone.folder / model)
    done = clone.make("report.zip", "SCALE=smoke")
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(clone.folder / "report.zip") as archive:
        names = [name for name in archive.namelist() if name.endswith("fig9.png")]
        assert archive.read(names[0]) == (clone.folder / PICTURE).read_bytes()
        report = Report(clone, archive.read("report/report.html").decode())
    assert f"{model}/model.safetensors is missing" in report.caption(PICTURE)


def test_nothing_to_report(unbuilt):
    done = unbuilt.make("report.html", "SCALE=smoke")
    assert done.returncode != 0
    assert "No figure is in results/smoke yet" in done.stdout + done.stderr


def test_a_browser_shows_a_figure_with_its_caption(report, browser):
    browser.open(report.clone.folder / "report.html")
    browser.driver.implicitly_wait(20)  # it draws itself in several turns
    find = browser.driver.find_element
    assert "fresh" in find("css selector", ".prose table").text
    find("xpath", "//*[text()='Statistics']").click()
    assert find("css selector", "#runtimes .marks").is_displayed()
    find("xpath", "//*[text()='Be More Active!']").click()
    eye, more = browser.driver.find_elements("xpath", "//tr[td[text()='Figure 9']]//a")
    eye.click()
    picture = find("css selector", "img[src^='data:image/png']")
    assert picture.get_property("naturalWidth") > 500
    more.click()
    assert "smoke scale" in find("css selector", "li.prose").text
    assert browser.complaints() == []
    browser.driver.implicitly_wait(0)
