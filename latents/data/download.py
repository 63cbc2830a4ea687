"""Download of one file over HTTP, resumed where an earlier attempt broke off."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib import request
from urllib.error import HTTPError, URLError

from latents.runtime.progress import SECONDS_BETWEEN_LINES, duration

STALL_SECONDS = 60.0  # a connection without a byte for this long counts as dead
RETRY_PAUSES = (1, 5, 20)  # seconds before each further attempt
BLOCK = 1 << 20
MB = 1e6
SCHEMES = ("http", "https")
CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")
# Some sites refuse the default user agent of Python's library.
HEADERS = {"User-Agent": "latents"}
Report = Callable[[str], None]


class DownloadFailed(Exception):
    """The file could not be downloaded; the bytes that arrived are worth keeping."""


class ConnectionLost(DownloadFailed):
    """The connection stalled or broke; another attempt may get further."""


class FileTooLong(Exception):
    """The server sends more bytes than the file has."""


@dataclass(frozen=True)
class Response:
    """A server's response: where in the file it starts, and the file's total length if known."""

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
    """Return `120.0/480.0 MB  25 %  12.0 MB/s  30 s left`, or less if the length is unknown."""
    speed = f"{rate / MB:.1f} MB/s"
    if not whole:
        return f"{done / MB:.1f} MB  {speed}"
    left = duration((whole - done) / max(rate, 1.0))
    return f"{done / MB:.1f}/{whole / MB:.1f} MB  {done * 100 // whole} %  {speed}  {left} left"


def download(url: str, file: Path, name: str, size: int | None, report: Report) -> bool:
    """Download the missing bytes of `file`; return whether several responses were joined."""
    for pause in RETRY_PAUSES:
        try:
            return _continue(url, file, name, size, report)
        except ConnectionLost as error:
            report(f"{name}: {error}; trying again in {pause} s")
            time.sleep(pause)
    return _continue(url, file, name, size, report)


def _continue(url: str, file: Path, name: str, size: int | None, report: Report) -> bool:
    """Request the missing bytes once; return whether earlier bytes were kept."""
    present = file.stat().st_size if file.exists() else 0
    if present and present == size:  # interrupted between the last byte and the check
        return True
    response = _request(url, 0 if size is not None and present > size else present, size)
    with response.stream:
        _receive(response, file, size, Meter(name, response.start, response.whole, report))
    return response.start > 0


def _receive(response: Response, file: Path, size: int | None, meter: Meter) -> None:
    """Append the response to the file; errors of the disk are raised unchanged."""
    done = response.start
    _refuse_excess(response.whole or 0, size)
    with file.open("ab" if response.start else "wb") as target:
        for block in _blocks(response.stream):
            done += len(block)
            _refuse_excess(done, size)
            target.write(block)
            meter.show(done)
    # A response without a length ends just as a broken connection does.
    if done < (response.whole or 0):
        raise ConnectionLost(f"the connection was closed after {done:,} bytes")
    meter.show(done, last=True)


def _refuse_excess(sent: int, size: int | None) -> None:
    if size is not None and sent > size:
        raise FileTooLong(f"expected {size:,} bytes, the server sends {sent:,} or more")


def _blocks(stream: HTTPResponse) -> Iterator[bytes]:
    """Yield bytes as they arrive; waiting for full blocks would lose some if a server stalls."""
    try:
        while block := stream.read1(BLOCK):
            yield block
    except (OSError, HTTPException) as error:
        raise _connection_lost(error) from error


def _request(url: str, start: int, size: int | None) -> Response:
    """Request the bytes from `start` on; accept the whole file if the server sends that."""
    stream = _open(url, start)
    if start and stream.status == 206:
        content_range = CONTENT_RANGE.fullmatch(stream.headers.get("Content-Range", ""))
        if content_range and int(content_range[1]) == start:
            return Response(stream, start, int(content_range[2]))
        stream.close()  # the response starts elsewhere in the file
        return _request(url, 0, size)
    if stream.status != 200:
        stream.close()
        raise DownloadFailed(f"the server answered {stream.status} {stream.reason}")
    return Response(stream, 0, size if stream.length is None else stream.length)


def _open(url: str, start: int) -> HTTPResponse:
    headers = HEADERS | ({"Range": f"bytes={start}-"} if start else {})
    try:
        wanted = request.Request(url, headers=headers)
        opened: HTTPResponse = _opener().open(wanted, timeout=STALL_SECONDS)
        return opened
    except HTTPError as error:
        error.close()
        if error.code == 416 and start:  # the local file is longer: not the same file
            return _open(url, 0)
        raise DownloadFailed(f"the server answered {error.code} {error.reason}") from error
    except URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise _connection_lost(error.reason) from error
        raise DownloadFailed(
            getattr(error.reason, "strerror", None) or str(error.reason)
        ) from error
    except (OSError, HTTPException) as error:
        raise _connection_lost(error) from error


def _opener() -> request.OpenerDirector:
    """Return an opener with redirects and proxies that opens no file, FTP or data URL."""
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


def _connection_lost(error: Exception) -> ConnectionLost:
    """Return the error of a broken connection, described in words."""
    if isinstance(error, TimeoutError):
        return ConnectionLost(f"the server fell silent for {duration(STALL_SECONDS)}")
    return ConnectionLost(f"the connection broke ({getattr(error, 'strerror', None) or error})")
