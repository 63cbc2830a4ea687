"""Checks of packs: every member, the manifest, and the records.

A digest proves that a pack is what its maker wrote, not that its maker was honest: that is what
`provenance/verification.py` is for.
"""

import json
import struct
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from latents.provenance.chain import PLACES, Chain, Record, first_output, read_chain
from latents.provenance.pack import FORMAT, MANIFEST, Manifest, copy_blocks, header, member
from latents.runtime.errors import ARCHIVE_ERRORS, Problem
from latents.runtime.progress import Progress
from latents.runtime.record import is_record, record_path, sealed

# What reading a file of somebody else's making can end in, besides a Problem.
ERRORS = (
    *ARCHIVE_ERRORS, AttributeError, IndexError, RuntimeError, TypeError, struct.error
)  # fmt: skip
LARGEST_TEXT = 1 << 26  # bytes of a manifest or of a record; both are read whole


@dataclass(frozen=True)
class Pack:
    """A pack whose every member was read and found to be what its manifest and records say."""

    file: Path
    manifest: Manifest
    chain: Chain
    jobs: dict[str, Record]  # of the chain, by the paths of their records


def check_pack(file: Path) -> Pack:
    """Return the pack in a file, which is refused if anything in it is not as it was packed."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _check(file, archive)
    except Problem as problem:
        raise Problem(f"{file} is refused: {problem}; nothing was written") from problem
    except ERRORS as error:
        raise Problem(f"{file} is not a readable pack ({error}); nothing was written") from error


def _check(file: Path, archive: zipfile.ZipFile) -> Pack:
    _refuse_members(archive.infolist())
    manifest = json.loads(_text(archive, MANIFEST))
    if sealed(manifest)["seal"] != manifest["seal"]:
        raise Problem("its manifest was edited")
    if manifest["format"] != FORMAT:
        raise Problem(f"its format is {manifest['format']}, and only {FORMAT} is known here")
    entries = {entry["path"]: entry for entry in manifest["files"]}
    _refuse_other_names(set(archive.namelist()) - {MANIFEST}, set(entries))
    progress = Progress(file.name, len(entries), unit="file")
    for number, (path, entry) in enumerate(entries.items(), start=1):
        _refuse_path(path)
        with archive.open(path) as content:
            found = copy_blocks(content)
        if (found, archive.getinfo(path).file_size) != (entry["sha256"], entry["bytes"]):
            raise Problem(f"{path} is not the file that was packed")
        progress.show(number)
    records = {path: json.loads(_text(archive, path)) for path in entries if is_record(path)}
    places = _places(records)
    chain = read_chain(manifest["target"], lambda path: records.get(places.get(path, "")))
    jobs = {places[first_output(job)]: job for job in chain.jobs}
    _refuse_other_files(jobs, entries)
    if manifest != {**header(chain), "files": manifest["files"], "seal": manifest["seal"]}:
        raise Problem("its manifest does not tell what its records tell")
    return Pack(file, manifest, chain, jobs)


def _refuse_members(members: list[zipfile.ZipInfo]) -> None:
    """Refuse members that are not plain, stored, unencrypted files with unique names."""
    for name, count in Counter(info.filename for info in members).items():
        if count > 1:
            raise Problem(f"{name} is in it {count} times")
    for info in members:
        plain = member(info.filename, info.file_size)
        marks = ("date_time", "compress_type", "external_attr", "create_system")
        odd = any(getattr(info, mark) != getattr(plain, mark) for mark in marks)
        if odd or info.flag_bits & 1 or info.compress_size != info.file_size:
            raise Problem(f"{info.filename} is not a plain file as packs have them")


def _refuse_other_names(there: set[str], listed: set[str]) -> None:
    if missing := sorted(listed - there):
        raise Problem(f"{missing[0]} is missing")
    if added := sorted(there - listed):
        raise Problem(f"{added[0]} does not belong in it")


def _refuse_path(path: str) -> None:
    """Refuse paths outside the folders that the workflow writes to, or in another spelling."""
    place = PurePosixPath(path)
    plain = str(place) == path and "\\" not in path and "\0" not in path
    if not plain or ".." in place.parts or place.parts[0] not in PLACES or len(place.parts) < 2:
        raise Problem(f"{path} lies outside {' and '.join(f'{name}/' for name in PLACES)}")


def _places(records: dict[str, Record]) -> dict[str, str]:
    """Return the path of the record of each output, which must lie where it is looked for."""
    places: dict[str, str] = {}
    for place, record in records.items():
        named_after = {str(record_path(Path(path))) for path in record["outputs"]}
        for path in record["outputs"]:
            beside = Path(path).parent == Path(place).parent.parent
            if not beside or place not in named_after or places.setdefault(path, place) != place:
                raise Problem(f"{place} is not the one record of {path}")
    return places


def _refuse_other_files(jobs: dict[str, Record], entries: dict[str, Any]) -> None:
    """Refuse all but the outputs of jobs and their records; expendable outputs may be missing."""
    made = {path: found for job in jobs.values() for path, found in job["outputs"].items()}
    expendable = {path for job in jobs.values() if job.get("expendable") for path in job["outputs"]}
    _refuse_other_names(set(entries), {*made, *jobs} - (expendable - set(entries)))
    for path, found in made.items():
        if path in entries and entries[path]["sha256"] != found:
            raise Problem(f"{path} is not what its record says was written there")


def _text(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > LARGEST_TEXT:
        raise Problem(f"{name} is too long")
    return archive.read(name)
