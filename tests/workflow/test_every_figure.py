"""Every figure, panel and claim of the configuration, built for real at the smallest size."""

from collections import Counter

import pandas as pd

from latents.workflow import settings as config

SETTINGS = config.load({"scale": "smoke"})


def test_all_of_them_are_built_and_then_make_does_nothing(everything):
    clone = everything.clone
    done = clone.make("figures", "CORES=2", "SCALE=smoke")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Nothing to be done" in done.stdout + done.stderr
    for name, row in SETTINGS.figures.items():
        check_figure(clone, name, row)
    claims = pd.read_csv(clone.folder / "results/smoke/claims.csv")
    assert claims["claim"].tolist() == list(SETTINGS.claims)
    assert (clone.folder / "figures/claims.pdf").read_bytes().startswith(b"%PDF")
    assert clone.plan(targets=("all",)) == Counter()


def check_figure(clone, name: str, row: dict) -> None:
    pdf, png, csv, caption = (
        clone.folder / "figures" / f"{name}.{ending}" for ending in ("pdf", "png", "csv", "txt")
    )
    assert pdf.read_bytes().startswith(b"%PDF"), name
    assert png.read_bytes().startswith(b"\x89PNG"), name
    assert len(pd.read_csv(csv)), name
    if row["cells"]:
        told = caption.read_text()
        assert "smoke scale: 1 seed × 40 steps" in told, name
        assert "Below the paper's scale" in told, name
        traced = clone.latents("trace", str(csv.relative_to(clone.folder)))
        assert traced.returncode == 0, f"{name}: {traced.stdout[-500:]}{traced.stderr}"
        assert "model.safetensors" in traced.stdout, name
