"""What several tests share."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
# Processes share out the tests; threads of each would only fight over the cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
QUIET = (
    "headless",
    "no-sandbox",
    "disable-gpu",
    "disable-quic",
    "disable-dev-shm-usage",
    "no-first-run",
    "disable-background-networking",
    "disable-component-update",
    "disable-sync",
    "host-resolver-rules=MAP * ~NOTFOUND",  # whatever a page asks for, it gets nothing
    "window-size=1500,950",
)


class Browser:
    """Chromium without a window and without a network, and what its pages asked for."""

    def __init__(self, chromium: str, chromedriver: str, profile: Path) -> None:
        from selenium.webdriver import Chrome, ChromeOptions
        from selenium.webdriver.chrome.service import Service

        options = ChromeOptions()
        options.binary_location = chromium
        for word in (*QUIET, f"user-data-dir={profile}"):
            options.add_argument(f"--{word}")
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = Chrome(options, Service(chromedriver))

    def open(self, page: Path) -> None:
        """Load a file anew; what earlier pages asked for is forgotten."""
        self.driver.get("about:blank")
        self.requests()
        self.complaints()
        self.driver.get(page.as_uri())

    def find(self, selector: str) -> list:
        return self.driver.find_elements("css selector", selector)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Until it holds; half a minute at most, for a busy machine."""
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, 30).until(lambda _: condition())

    def requests(self) -> list[str]:
        """Addresses asked for since the last look."""
        events = [json.loads(e["message"])["message"] for e in self.driver.get_log("performance")]
        sent = [e["params"] for e in events if e["method"] == "Network.requestWillBeSent"]
        return [event["request"]["url"] for event in sent]

    def complaints(self) -> list[str]:
        """Severe messages of the console since the last look."""
        said = self.driver.get_log("browser")
        return [entry["message"] for entry in said if entry["level"] == "SEVERE"]


@pytest.fixture(scope="session")
def browser(tmp_path_factory) -> Iterator[Browser]:
    pytest.importorskip("selenium", reason="tests of pages need selenium")
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if not all(programs):
        pytest.skip("tests of pages need chromium and chromedriver; see make browser-deps")
    started = Browser(*programs, tmp_path_factory.mktemp("profile"))
    yield started
    started.driver.quit()
