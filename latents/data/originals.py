"""Original dataset files: downloaded from their official addresses and verified.

A file that exists is only ever read. A download gets its final name once its digest is verified.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from latents.data.download import DownloadFailed, FileTooLong, Report, download
from latents.runtime.atomic_files import partial_name, remove, settle
from latents.runtime.errors import Problem

BLOCK = 1 << 20
Found = dict[str, str | int]


@dataclass(frozen=True)
class Original:
    """One file of a dataset as its authors publish it."""

    path: Path
    url: str | None  # None where there is no official address (licensed data)
    digest: str | None  # sha256:…, md5:… or git-blob:…; None where none is known
    size: int | None  # bytes, where known


class WrongContent(Exception):
    """A file's length or digest is not the expected one; the message states both."""


def verify(original: Original) -> Found:
    """Return path, length and sha256 of an existing file, and the digest it was checked against."""
    try:
        return _checked(original, original.path)
    except FileNotFoundError as error:
        raise Problem(f"{original.path} is missing; {_by_hand(original)}") from error
    except WrongContent as wrong:
        raise Problem(
            f"{original.path} is not the original file ({_address(original)}): {wrong}; "
            "it was left as it is"
        ) from wrong


def obtain(original: Original, report: Report) -> Found:
    """Verify the file if it exists, without any request; otherwise download it and verify that."""
    if os.path.lexists(original.path):  # a dangling link counts as an existing file
        return verify(original)
    if original.url is None:
        raise Problem(f"{original.path} cannot be downloaded; {_by_hand(original)}")
    original.path.parent.mkdir(parents=True, exist_ok=True)
    temporary = partial_name(original.path)
    if original.digest is None:  # joined halves of two files would go unnoticed
        remove(temporary)
    try:
        found = _downloaded(original, original.url, temporary, report)
    except DownloadFailed as failure:
        kept = "; what had arrived is kept for the next try" if temporary.exists() else ""
        raise Problem(
            f"{original.path} could not be downloaded: {failure}{kept}; {_by_hand(original)}"
        ) from failure
    settle(temporary, original.path)
    return found


def _downloaded(
    original: Original,
    url: str,
    temporary: Path,
    report: Report,
    may_start_over: bool = True,
) -> Found:
    """Download and verify; if a resumed download is wrong, start over once."""
    in_pieces = False
    try:
        in_pieces = download(url, temporary, original.path.name, original.size, report)
        return _checked(original, temporary)
    except (FileTooLong, WrongContent) as wrong:
        remove(temporary)
        if not (in_pieces and may_start_over):
            raise Problem(
                f"{url} is not the file that belongs at {original.path}: {wrong}; "
                "the download was removed"
            ) from wrong
    report(f"{original.path.name}: the continued download came out wrong; starting over")
    return _downloaded(original, url, temporary, report, may_start_over=False)


def _checked(original: Original, file: Path) -> Found:
    """Return the facts of `file`; raise WrongContent if its content is not the original's."""
    size = file.stat().st_size
    kind = original.digest.partition(":")[0] if original.digest else "sha256"
    sha256, found = _digests(file, kind, size)
    if original.size not in (None, size) or original.digest not in (None, found):
        expected = _described(original.size, original.digest)
        raise WrongContent(f"expected {expected}, found {_described(size, found)}")
    check = original.digest or "none"
    return {"path": str(original.path), "bytes": size, "sha256": sha256, "check": check}


def _digests(file: Path, kind: str, size: int) -> tuple[str, str]:
    """sha256 and `kind:hex`, in one pass.

    git-blob is the name Git gives a file: sha1("blob " + length + "\\0" + content).
    """
    sha256 = hashlib.sha256()
    other = hashlib.new("sha1" if kind == "git-blob" else kind, usedforsecurity=False)
    if kind == "git-blob":
        other.update(b"blob %d\0" % size)
    with file.open("rb") as content:
        while block := content.read(BLOCK):
            sha256.update(block)
            other.update(block)
    return sha256.hexdigest(), f"{kind}:{other.hexdigest()}"


def _described(size: int | None, digest: str | None) -> str:
    length = None if size is None else f"{size:,} bytes"
    return " with ".join(filter(None, (length, digest)))


def _by_hand(original: Original) -> str:
    digest = original.digest or "no digest of it is known"
    return f"the file ({_address(original)}; {digest}) can be put there by hand"


def _address(original: Original) -> str:
    return f"published at {original.url}" if original.url else "without an official address"
