"""A step that runs again and makes the same bytes ends the matter there, in the same run."""

from pathlib import Path

import pytest

from tests.workflow.clones import Clone, made_at

MODELS = "results/smoke/models"
NOTHING = "nothing to do, "


@pytest.fixture(params=[False, True], ids=["", "without .snakemake"])
def any_clone(request, clone: Clone) -> Clone:
    if request.param:
        clone.forget()
    return clone


def times(clone: Clone, *patterns: str) -> dict[Path, str]:
    """When each of some artefacts was made."""
    found = [path for pattern in patterns for path in clone.folder.glob(pattern)]
    assert found
    return {path: made_at(path) for path in found}


def said(clone: Clone, step: str) -> list[str]:
    """Whether the last words of a step's jobs were that there is nothing to do."""
    logs = sorted((clone.folder / "results/smoke/logs" / step).rglob("*.log"))
    return [log.read_text().splitlines()[-1] for log in logs]


def test_a_dataset_rendered_again_to_the_same_bytes_retrains_nothing(any_clone):
    """The sum is turned round: other code, the same pixels."""
    dataset = any_clone.folder / "results/datasets/dsprites.h5"
    before, pixels = made_at(dataset), dataset.read_bytes()
    trained = times(any_clone, f"{MODELS}/**/model.safetensors", "figures/fig9.pdf")
    any_clone.edit(
        "latents/data/twins/dsprites.py",
        "16 + 32 * np.linspace(0, 1, 32)",
        "32 * np.linspace(0, 1, 32) + 16",
    )
    any_clone.build()
    assert made_at(dataset) != before
    assert dataset.read_bytes() == pixels
    assert times(any_clone, f"{MODELS}/**/model.safetensors", "figures/fig9.pdf") == trained
    assert all(f"train_model: {NOTHING}" in line for line in said(any_clone, "train_model"))
    assert not any_clone.plan()


def test_a_table_written_again_to_the_same_bytes_redraws_nothing(any_clone):
    table = any_clone.folder / "results/smoke/variables/dsprites_dip_vae_ii.csv"
    before, text = made_at(table), table.read_bytes()
    drawn = times(any_clone, "figures/fig9.pdf", "results/smoke/figures/fig9.pdf")
    any_clone.edit("scripts/classify_variables.py", "rows.append(row)", "rows += [row]")
    any_clone.build()
    assert made_at(table) != before
    assert table.read_bytes() == text
    assert times(any_clone, "figures/fig9.pdf", "results/smoke/figures/fig9.pdf") == drawn
    assert all(f"draw_figure: {NOTHING}" in line for line in said(any_clone, "draw_figure"))
    assert not any_clone.plan()
