"""What the tests of original files share."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from latents.data import download
from latents.data.originals import Original
from latents.runtime.fingerprint import fingerprint
from tests.conftest import ROOT
from tests.unit.data.official_site import CONTENT, SHA256, Site

READERS = str(ROOT / "latents" / "data" / "readers")


@pytest.fixture
def site(monkeypatch) -> Iterator[Site]:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(download, "RETRY_PAUSES", (0, 0))
    monkeypatch.setattr(download, "STALL_SECONDS", 10.0)
    site = Site()
    thread = threading.Thread(target=site.server.serve_forever, args=(0.01,))
    thread.start()
    yield site
    site.closing.set()
    site.server.shutdown()
    site.server.server_close()
    thread.join()


@pytest.fixture
def impatient(site: Site, monkeypatch) -> None:
    monkeypatch.setattr(download, "STALL_SECONDS", 0.4)


@pytest.fixture
def original(site: Site, tmp_path: Path) -> Original:
    return Original(tmp_path / "data" / "shapes.h5", site.url, SHA256, len(CONTENT))


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture(autouse=True)
def watched() -> Iterator[None]:
    """Every function of a reader that these tests run is in the fingerprint of its jobs."""
    called: set[tuple[str, str]] = set()

    def note(frame, event, _) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(READERS) and code.co_flags & 1:
            called.add((Path(code.co_filename).stem, code.co_qualname.partition(".<")[0]))

    sys.setprofile(note)
    yield
    sys.setprofile(None)
    for reader, name in called:
        units = fingerprint("prepare_dataset", (f"data/readers/{reader}",)).units
        assert name in units[f"latents/data/readers/{reader}.py"]
