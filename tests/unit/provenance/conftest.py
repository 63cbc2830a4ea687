"""A small tree, its pack, and a place for it."""

from pathlib import Path

import pytest

from latents.provenance.pack import write_pack
from tests.unit.provenance.small_packs import FIGURE, GIVEN, TABLE, make


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    (folder / "data").mkdir(parents=True)
    (folder / GIVEN).write_text("mine")
    make(folder, "tabulate", (GIVEN,), {TABLE: "a,b\n1,2\n"})
    make(folder, "draw", (TABLE,), {FIGURE: "figure", "figures/fig.csv": "a\n1\n"})
    return folder


@pytest.fixture
def pack(tree: Path, tmp_path: Path) -> Path:
    write_pack(FIGURE, tree, tmp_path / "fig.pack.zip")
    return tmp_path / "fig.pack.zip"


@pytest.fixture
def there(tmp_path: Path) -> Path:
    (tmp_path / "there").mkdir()
    return tmp_path / "there"
