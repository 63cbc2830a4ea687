"""Original files: checked, fetched from an official site, or refused in one sentence."""

import errno
import hashlib
import os
import re
import shutil
import socket
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from latents.data import download
from latents.data.originals import Original, obtain, verify
from latents.runtime.atomic_files import partial_name
from latents.runtime.errors import Problem
from tests.unit.data.official_site import (
    CONTENT,
    HALF,
    SHA256,
    Site,
    assert_arrived,
    body,
    leave_partial,
    names,
    refusal,
    sized,
    status,
)

# Published: FIPS 180 (sha256), RFC 1321 (md5); the last is what `git hash-object` prints.
ABC = {
    "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "md5": "900150983cd24fb0d6963f7d28e17f72",
    "git-blob": "f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f",
}


@pytest.mark.parametrize("kind", ABC)
def test_every_kind_of_digest_is_told_right_from_wrong(tmp_path, kind):
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    right = Original(path, None, f"{kind}:{ABC[kind]}", 3)
    assert verify(right) == {
        "path": str(path),
        "bytes": 3,
        "sha256": ABC["sha256"],
        "check": f"{kind}:{ABC[kind]}",
    }
    path.write_bytes(b"abd")
    with pytest.raises(Problem, match=f"expected 3 bytes with {kind}:{ABC[kind]}, found 3 bytes"):
        verify(right)


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_git_agrees_on_the_name_of_a_blob_of_several_blocks(tmp_path):
    path = tmp_path / "big"
    path.write_bytes(CONTENT * 9)
    said = subprocess.run(
        ["git", "hash-object", "--no-filters", path], capture_output=True, text=True, check=True
    ).stdout.strip()
    found = verify(Original(path, None, f"git-blob:{said}", None))
    assert found["sha256"] == hashlib.sha256(CONTENT * 9).hexdigest()


def test_without_a_digest_the_size_still_counts_and_no_check_is_claimed(tmp_path):
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    assert verify(Original(path, None, None, 3))["check"] == "none"
    with pytest.raises(Problem, match="expected 4 bytes, found 3 bytes"):
        verify(Original(path, None, None, 4))


def test_a_missing_file_is_told_with_its_address_and_digest(original):
    with pytest.raises(Problem) as caught:
        verify(original)
    assert f"{original.path} is missing" in str(caught.value)
    assert original.url in str(caught.value)
    assert SHA256 in str(caught.value)


def test_a_right_file_makes_no_request(site, original, lines):
    original.path.parent.mkdir()
    original.path.write_bytes(CONTENT)
    assert obtain(original, lines.append)["sha256"] == hashlib.sha256(CONTENT).hexdigest()
    assert site.visits == []
    assert lines == []


@pytest.mark.parametrize("content", [b"mine", CONTENT[:-1] + b"?"], ids=["length", "bytes"])
def test_a_wrong_file_is_left_as_it_is(site, original, lines, content):
    original.path.parent.mkdir()
    original.path.write_bytes(content)
    os.utime(original.path, ns=(10**18, 10**18))
    sentence = refusal(original, lines)
    assert f"expected 300,000 bytes with {SHA256}, found {len(content):,} bytes" in sentence
    assert f"sha256:{hashlib.sha256(content).hexdigest()}" in sentence
    assert "left as it is" in sentence
    assert original.path.read_bytes() == content
    assert original.path.stat().st_mtime_ns == 10**18
    assert names(original) == ["shapes.h5"]
    assert site.visits == []


def test_a_link_to_nowhere_is_not_replaced(site, original, lines, tmp_path):
    original.path.parent.mkdir()
    original.path.symlink_to(tmp_path / "unmounted" / "shapes.h5")
    assert "is missing" in refusal(original, lines)
    assert original.path.is_symlink()
    assert site.visits == []


def test_a_whole_file_arrives(site, original, lines):
    assert obtain(original, lines.append) == {
        "path": str(original.path),
        "bytes": 300_000,
        "sha256": hashlib.sha256(CONTENT).hexdigest(),
        "check": SHA256,
    }
    assert_arrived(original)
    assert site.ranges == [None]


def test_neither_length_nor_digest_need_be_known(site, original, lines):
    site.answers = [body(CONTENT)]
    found = obtain(replace(original, size=None, digest=None), lines.append)
    assert found["check"] == "none"
    assert_arrived(original)


def test_wrong_bytes_leave_nothing_behind(site, original, lines):
    wrong = b"z" * len(CONTENT)
    site.answers = [body(wrong)]
    sentence = refusal(original, lines)
    assert f"expected 300,000 bytes with {SHA256}" in sentence
    assert f"found 300,000 bytes with sha256:{hashlib.sha256(wrong).hexdigest()}" in sentence
    assert names(original) == []
    assert len(site.visits) == 1


def test_a_page_in_the_place_of_the_file_is_wrong_bytes(site, original, lines):
    page = b"<html>Please log in</html>"
    site.answers = [sized(len(page), page)]
    assert "found 26 bytes" in refusal(original, lines)
    assert names(original) == []


def test_more_bytes_than_announced_anywhere_are_not_taken(site, original, lines):
    site.answers = [body(CONTENT + b"!")]
    assert "expected 300,000 bytes, the server sends" in refusal(original, lines)
    assert names(original) == []
    assert len(site.visits) == 1


def test_a_file_that_is_announced_as_too_long_is_not_even_started(site, original, lines):
    site.answers = [sized(10**12, b"")]
    assert "the server sends" in refusal(original, lines)
    assert lines == []
    assert names(original) == []


@pytest.mark.parametrize("code", [202, 403, 404, 500])
def test_a_refusal_is_told_at_once(site, original, lines, code):
    site.answers = [status(code)]
    sentence = refusal(original, lines)
    assert f"the server answered {code}" in sentence
    assert SHA256 in sentence
    assert "by hand" in sentence
    assert "kept" not in sentence
    assert names(original) == []
    assert len(site.visits) == 1


def test_nobody_listening_is_told_at_once(original, lines):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/shapes.h5"
        sentence = refusal(replace(original, url=url), lines)
    assert os.strerror(errno.ECONNREFUSED) in sentence
    assert SHA256 in sentence
    assert "by hand" in sentence
    assert lines == []


def test_a_file_without_an_address_has_to_be_put_there(original, lines):
    sentence = refusal(replace(original, url=None), lines)
    assert "without an official address" in sentence
    assert SHA256 in sentence
    assert "by hand" in sentence


@pytest.fixture(params=["file", "ftp"])
def elsewhere(request, site: Site, tmp_path: Path, monkeypatch) -> str:
    """An address that is no web address, but that Python's library knows a way to."""
    monkeypatch.setenv("ftp_proxy", site.url)
    (tmp_path / "secret").write_bytes(CONTENT)
    return f"file://{tmp_path}/secret" if request.param == "file" else "ftp://shapes.invalid/secret"


def test_only_web_addresses_are_opened(site, original, lines, elsewhere):
    assert "unknown url type" in refusal(replace(original, url=elsewhere), lines)
    assert site.visits == []


def test_nor_does_a_redirect_lead_elsewhere(site, original, lines, elsewhere):
    site.answers = [status(302, Location=elsewhere)]
    refusal(original, lines)
    assert names(original) == []
    assert len(site.visits) == 1


def test_a_full_disk_is_told_as_such(original, lines):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    original.path.parent.mkdir()
    partial_name(original.path).symlink_to("/dev/full")
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)) as caught:
        obtain(original, lines.append)
    assert caught.value.errno == errno.ENOSPC


def test_a_redirect_is_followed_with_its_range_and_its_names_are_ignored(site, original, lines):
    leave_partial(original, CONTENT[:HALF])
    site.answers = [
        status(
            302, Location="/mirror/evil.sh", Content_Disposition='attachment; filename="../evil"'
        )
    ]
    obtain(original, lines.append)
    assert_arrived(original)
    assert site.visits == [
        ("/shapes.h5", f"bytes={HALF}-"),
        ("/mirror/evil.sh", f"bytes={HALF}-"),
    ]


def test_a_proxy_of_the_environment_is_used(site, original, lines, monkeypatch):
    monkeypatch.setenv("http_proxy", site.url)
    far = "http://shapes.invalid/shapes.h5"
    obtain(replace(original, url=far), lines.append)
    assert_arrived(original)
    assert site.visits == [(far, None)]


def test_progress_is_told_at_the_end_and_else_seldom(site, original, lines):
    obtain(original, lines.append)
    (line,) = lines
    assert re.fullmatch(r"shapes\.h5: 0\.3/0\.3 MB  100 %  \d+\.\d MB/s  0 s left", line)


def test_progress_is_told_on_the_way(site, original, lines, monkeypatch):
    monkeypatch.setattr(download, "SECONDS_BETWEEN_LINES", 0)
    monkeypatch.setattr(download, "BLOCK", 30_000)
    obtain(original, lines.append)
    percents = [int(re.search(r"(\d+) %", line)[1]) for line in lines]
    assert percents == sorted(percents)
    assert 0 < percents[0] <= 10
    assert percents[-1] == 100


def test_a_line_of_progress():
    told = download.progress_line(120_000_000, 480_000_000, 12e6)
    assert told == "120.0/480.0 MB  25 %  12.0 MB/s  30 s left"
    assert download.progress_line(1_500_000, None, 1e6) == "1.5 MB  1.0 MB/s"
