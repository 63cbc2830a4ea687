"""One file over HTTP, continued where an earlier try broke off."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib import request
from urllib.error import HTTPError, URLError

from latents.progress import SECONDS_BETWEEN_LINES, duration

STALL_SECONDS = 60.0  # without a byte, after which a connection counts as dead
RETRY_PAUSES = (1, 5, 20)  # seconds before each further try
BLOCK = 1 << 20
MB = 1e6
SCHEMES = ("http", "https")
CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")
# Some sites refuse the name that Python's library gives itself.
HEADERS = {"User-Agent": "latents"}
Report = Callable[[str], None]


class Failed(Exception):
    """The file cannot be had from its address; what arrived of it is worth keeping."""


class Cut(Failed):
    """The connection stalled or broke: another try may go further."""


class TooLong(Exception):
    """The server has more bytes than the file."""


@dataclass(frozen=True)
class Answer:
    """What the server sends: where in the file it starts, and how long the whole is, if known."""

    stream: HTTPResponse
    start: int
    whole: int | None


class Meter:
    """Reports bytes, rate and time left, at most once in ten seconds and at the end."""

    def __init__(self, name: str, first: int, whole: int | None, report: Report) -> None:
        self.name = name
        self.first = first
        self.whole = whole
        self.report = report
        self.started = self.shown = time.monotonic()

    def show(self, done: int, last: bool = False) -> None:
        now = time.monotonic()
        if now - self.shown < SECONDS_BETWEEN_LINES and not last:
            return
        self.shown = now
        rate = (done - self.first) / max(now - self.started, 1e-9)
        self.report(f"{self.name}: {progress_line(done, self.whole, rate)}")


def progress_line(done: int, whole: int | None, rate: float) -> str:
    """`120.0/480.0 MB  25 %  12.0 MB/s  30 s left`, or what can be told of an unknown length."""
    speed = f"{rate / MB:.1f} MB/s"
    if not whole:
        return f"{done / MB:.1f} MB  {speed}"
    left = duration((whole - done) / max(rate, 1.0))
    return f"{done / MB:.1f}/{whole / MB:.1f} MB  {done * 100 // whole} %  {speed}  {left} left"


def download(url: str, file: Path, name: str, size: int | None, report: Report) -> bool:
    """Bring `file` to its full length; tell whether it was put together from several answers."""
    for pause in RETRY_PAUSES:
        try:
            return _continue(url, file, name, size, report)
        except Cut as cut:
            report(f"{name}: {cut}; trying again in {pause} s")
            time.sleep(pause)
    return _continue(url, file, name, size, report)


def _continue(url: str, file: Path, name: str, size: int | None, report: Report) -> bool:
    """One request for the bytes that are missing."""
    there = file.stat().st_size if file.exists() else 0
    if there and there == size:  # stopped between the last byte and the check
        return True
    answer = _ask(url, 0 if size is not None and there > size else there, size)
    with answer.stream:
        _receive(answer, file, size, Meter(name, answer.start, answer.whole, report))
    return answer.start > 0


def _receive(answer: Answer, file: Path, size: int | None, meter: Meter) -> None:
    """Write the bytes to their place. Trouble with the disk is not the connection's: it passes."""
    done = answer.start
    _refuse_excess(answer.whole or 0, size)
    with file.open("ab" if answer.start else "wb") as target:
        for block in _blocks(answer.stream):
            done += len(block)
            _refuse_excess(done, size)
            target.write(block)
            meter.show(done)
    # A server that does not tell a length ends its answer just as a broken connection does.
    if done < (answer.whole or 0):
        raise Cut(f"the connection was closed after {done:,} bytes")
    meter.show(done, last=True)


def _refuse_excess(sent: int, size: int | None) -> None:
    if size is not None and sent > size:
        raise TooLong(f"expected {size:,} bytes, the server sends {sent:,} or more")


def _blocks(stream: HTTPResponse) -> Iterator[bytes]:
    """Bytes as they arrive: a wait for full blocks would lose the last one when a server stalls."""
    try:
        while block := stream.read1(BLOCK):
            yield block
    except (OSError, HTTPException) as error:
        raise _cut(error) from error


def _ask(url: str, start: int, size: int | None) -> Answer:
    """Ask for the bytes from `start` on; take the whole file where the server sends that."""
    stream = _open(url, start)
    if start and stream.status == 206:
        told = CONTENT_RANGE.fullmatch(stream.headers.get("Content-Range", ""))
        if told and int(told[1]) == start:
            return Answer(stream, start, int(told[2]))
        stream.close()  # some other part of the file
        return _ask(url, 0, size)
    if stream.status != 200:
        stream.close()
        raise Failed(f"the server answered {stream.status} {stream.reason}")
    return Answer(stream, 0, size if stream.length is None else stream.length)


def _open(url: str, start: int) -> HTTPResponse:
    headers = HEADERS | ({"Range": f"bytes={start}-"} if start else {})
    try:
        asked = request.Request(url, headers=headers)
        answered: HTTPResponse = _opener().open(asked, timeout=STALL_SECONDS)
        return answered
    except HTTPError as error:
        error.close()
        if error.code == 416 and start:  # more is here than there: not the same file
            return _open(url, 0)
        raise Failed(f"the server answered {error.code} {error.reason}") from error
    except URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise _cut(error.reason) from error
        raise Failed(getattr(error.reason, "strerror", None) or str(error.reason)) from error
    except (OSError, HTTPException) as error:
        raise _cut(error) from error


def _opener() -> request.OpenerDirector:
    """Follows redirects and uses proxies, but knows no way to files, FTP or data addresses."""
    proxies = {scheme: p for scheme, p in request.getproxies().items() if scheme in SCHEMES}
    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler(proxies),
        request.HTTPHandler(),
        request.HTTPSHandler(),
        request.HTTPRedirectHandler(),
        request.HTTPErrorProcessor(),
        request.HTTPDefaultErrorHandler(),
        request.UnknownHandler(),
    ):
        opener.add_handler(handler)
    return opener


def _cut(error: Exception) -> Cut:
    if isinstance(error, TimeoutError):
        return Cut(f"the server fell silent for {duration(STALL_SECONDS)}")
    return Cut(f"the connection broke ({getattr(error, 'strerror', None) or error})")
