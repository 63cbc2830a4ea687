"""Every row of config/claims.yaml runs on tables with the workflow's columns."""

from pathlib import Path
from runpy import run_path

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from latents.claims.finding import FAILS, HOLDS, UNCLEAR
from latents.claims.table import COLOURS, COLUMNS, cells, count_verdicts, draw, show
from latents.evaluation.tables import write_table
from latents.workflow import settings as config
from latents.workflow.registry import constant
from tests.conftest import ROOT
from tests.made_up import a_table

check_claim, gather_claims, draw_claims = (
    run_path(str(ROOT / "scripts" / f"{name}.py"))[name]
    for name in ("check_claim", "gather_claims", "draw_claims")
)
SETTINGS = config.load({})
STANDARDS = {"level": 0.05, "permutations": 999, "seeds": 2}


def check(name: str, folder: Path, seeds: int = 2, spoil=None) -> pd.Series:
    row = SETTINGS.claims[name]
    random, paths = np.random.RandomState(0), []
    names = sorted(
        {
            table.format(cell=row["cell"], **term)
            for term in row["terms"].values()
            for table in constant("claims/terms", term["of"], "TABLES")
        }
    )
    for number, table_name in enumerate(names):
        strengths = SETTINGS.sweeps[row["cell"]]["strengths"]
        table = a_table(table_name, strengths, seeds, random)
        paths.append(folder / f"{number}.csv")
        write_table(paths[-1], spoil(table) if spoil else table)
    finding = folder / f"{name}.csv"
    check_claim(
        tables=paths,
        finding=finding,
        claim=name,
        row=row,
        table_names=names,
        scale_name="laptop",
        expected=row["expected_from"] == "laptop",
        standards=STANDARDS,
    )
    return pd.read_csv(finding).iloc[0]


every_claim = pytest.mark.parametrize("name", SETTINGS.claims)


@every_claim
def test_every_claim_is_tested_on_all_its_runs(name, tmp_path: Path):
    row = SETTINGS.claims[name]
    found = check(name, tmp_path, seeds=6)
    strengths = row.get("strengths") or SETTINGS.sweeps[row["cell"]]["strengths"]
    degenerate = "never changes" in found["reason"]
    assert found["units"] == 6 * len(strengths)
    assert found["verdict"] in (HOLDS, FAILS, UNCLEAR)
    assert degenerate or np.isfinite(found[["effect", "low", "high", "p"]].astype(float)).all()
    assert "no such value" not in found["reason"]


@every_claim
def test_with_one_seed_every_claim_has_too_little_evidence(name, tmp_path: Path):
    found = check(name, tmp_path, seeds=1)
    assert found["verdict"] == UNCLEAR
    assert "2 seeds are needed" in found["reason"]


def test_missing_combinations_are_counted(tmp_path: Path):
    def without_active(table: pd.DataFrame) -> pd.DataFrame:
        gone = (table["combination"] == "active") & (table["strength"] == 1) & (table["seed"] == 0)
        return table.assign(score=table["score"].mask(gone))

    found = check("poster_active_mutual_information", tmp_path, spoil=without_active)
    assert found["units"] == 11
    assert "1 of 12 runs have no such value" in found["reason"]


def test_strengths_are_those_of_the_cells():
    for name, row in SETTINGS.claims.items():
        known = SETTINGS.sweeps[row["cell"]]["strengths"]
        assert set(row.get("strengths", [])) <= set(known), name


def test_every_figure_proposition_theorem_and_poster_has_claims():
    said = {row["paper"] for row in SETTINGS.claims.values()}
    for number in range(4, 19):
        assert any(paper.rstrip("abcd") == f"Figure {number}" for paper in said), number
    others = {paper.split(" (")[0] for paper in said if not paper.startswith("Figure")}
    assert others == {"Proposition 3", "Proposition 4", "Theorem 5", "Corollary 6", "Poster"}


@pytest.fixture(scope="module")
def gathered(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("claims")
    for name in SETTINGS.claims:
        check(name, folder, seeds=3)
    findings = [folder / f"{name}.csv" for name in SETTINGS.claims]
    gather_claims(findings=findings, claims=folder / "all.csv", scale_name="laptop")
    return folder / "all.csv"


def test_gathered_claims_have_adjusted_values_beside_raw_ones(gathered: Path):
    table = pd.read_csv(gathered)
    assert table["claim"].tolist() == list(SETTINGS.claims)
    tested = table.dropna(subset="p")
    assert (tested["p_holm"] >= tested["p"]).all()
    assert table["p_holm"].isna().equals(table["p"].isna())
    text = show(table)
    assert all(row.statement in text and row.reason in text for row in table.itertuples())
    assert count_verdicts(table).startswith(f"{len(table)} claims: ")


def test_the_page_has_a_line_per_claim_and_no_text_over_another(gathered: Path):
    table = pd.read_csv(gathered)
    figure = draw(table, "a title")
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [text.get_window_extent(renderer) for text in figure.texts if text.get_text()]
    assert len(figure.texts) == 2 + (len(table) + 1) * len(COLUMNS)
    for i, box in enumerate(boxes):
        clear = [not box.overlaps(other) for other in boxes[:i]]
        assert all(clear), [t.get_text() for t in figure.texts if t.get_text()][i]
    verdicts = figure.texts[2 + 2 * len(COLUMNS) - 1 :: len(COLUMNS)]
    assert [t.get_color() for t in verdicts] == [COLOURS[v] for v in table["verdict"]]
    assert [t.get_text() for t in verdicts] == [cells(r)["verdict"] for r in table.itertuples()]


def test_figure_table_and_caption_tell_the_same(gathered: Path, tmp_path: Path):
    scale = {key: SETTINGS.scale[key] for key in ("seeds", "steps", "network", "width")}
    scale |= {key: SETTINGS.scale[key] for key in ("batch_size", "learning_rate", "examples")}
    files = {name: tmp_path / name for name in ("pdf", "png", "csv", "caption")}
    values = {"scale_name": "laptop", "scale": scale, "paper": scale, "level": 0.05, "key": "k"}
    draw_claims(claims=gathered, **files, **values)
    assert pd.read_csv(files["csv"]).equals(pd.read_csv(gathered))
    assert "Intervals cover 90%" in files["caption"].read_text()
    assert files["pdf"].read_bytes().startswith(b"%PDF")
