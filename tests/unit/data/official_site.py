"""A site on this machine that plays the official one: slow, broken, forgetful or wrong."""

import hashlib
import random
import re
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from latents.data.originals import Original, obtain
from latents.runtime.atomic_files import partial_name
from latents.runtime.errors import Problem

CONTENT = random.Random(5).randbytes(300_000)
HALF = 150_000
SHA256 = f"sha256:{hashlib.sha256(CONTENT).hexdigest()}"


class Visit(BaseHTTPRequestHandler):
    """One request: noted, then answered by the site's next answer."""

    def do_GET(self) -> None:
        site = self.server.site
        site.visits.append((self.path, self.headers["Range"]))
        (site.answers.pop(0) if site.answers else ranged)(self)

    def head(self, status: int, **headers: object) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


Reply = Callable[[Visit], None]


class Site:
    """Plays the official site: the answers that a test sets, then those of an able server."""

    def __init__(self) -> None:
        self.visits: list[tuple[str, str | None]] = []
        self.answers: list[Reply] = []
        self.closing = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Visit)
        self.server.site = self
        self.url = f"http://127.0.0.1:{self.server.server_port}/shapes.h5"

    @property
    def ranges(self) -> list[str | None]:
        return [asked for _, asked in self.visits]


def whole(visit: Visit) -> None:
    sized(len(CONTENT), CONTENT)(visit)


def ranged(visit: Visit) -> None:
    asked = re.fullmatch(r"bytes=(\d+)-", visit.headers["Range"] or "")
    if not asked:
        return whole(visit)
    start, end = int(asked[1]), len(CONTENT)
    if start >= end:
        return visit.head(416, Content_Range=f"bytes */{end}")
    visit.head(206, Content_Length=end - start, Content_Range=f"bytes {start}-{end - 1}/{end}")
    visit.wfile.write(CONTENT[start:])


def sized(length: int, content: bytes) -> Reply:
    """Promises a length and sends some bytes."""

    def answer(visit: Visit) -> None:
        visit.head(200, Content_Length=length)
        visit.wfile.write(content)

    return answer


def cut(at: int) -> Reply:
    return sized(len(CONTENT), CONTENT[:at])


def stalled(at: int) -> Reply:
    def answer(visit: Visit) -> None:
        cut(at)(visit)
        visit.wfile.flush()
        visit.server.site.closing.wait(30)

    return answer


def silent(visit: Visit) -> None:
    """Not even a status line."""
    visit.server.site.closing.wait(30)


def hung_up(visit: Visit) -> None:
    visit.connection.shutdown(socket.SHUT_RDWR)


def body(content: bytes) -> Reply:
    """Without a length: the end of the connection is the end of the file."""

    def answer(visit: Visit) -> None:
        visit.head(200)
        visit.wfile.write(content)

    return answer


def status(code: int, **headers: object) -> Reply:
    return lambda visit: visit.head(code, Content_Length=0, **headers)


def leave_partial(original: Original, content: bytes) -> None:
    original.path.parent.mkdir()
    partial_name(original.path).write_bytes(content)


def names(original: Original) -> list[str]:
    return sorted(path.name for path in original.path.parent.iterdir())


def assert_arrived(original: Original) -> None:
    """The right bytes, and nothing beside them."""
    assert original.path.read_bytes() == CONTENT
    assert names(original) == ["shapes.h5"]


def refusal(original: Original, lines: list[str]) -> str:
    """The one sentence with which the original is refused; it names the place and the address."""
    with pytest.raises(Problem) as caught:
        obtain(original, lines.append)
    sentence = str(caught.value)
    assert str(original.path) in sentence
    assert "\n" not in sentence
    assert original.url is None or original.url in sentence
    return sentence
