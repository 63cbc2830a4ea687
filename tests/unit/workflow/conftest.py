"""What the tests of the configuration share."""

import shutil
from pathlib import Path

import pytest
import yaml

from latents.runtime.sources import ROOT
from latents.workflow import config_files, registry


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    """A copy of the configuration that a test may spoil."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "latents").symlink_to(ROOT / "latents")
    monkeypatch.setattr(registry, "ROOT", tmp_path)
    monkeypatch.setattr(config_files, "FOLDER", tmp_path / "config")
    return tmp_path / "config"


def spoil(path: Path, change) -> None:
    content = yaml.safe_load(path.read_text())
    change(content)
    path.write_text(yaml.safe_dump(content))
