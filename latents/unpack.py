"""Taking a pack in: all of it is checked before any of it is placed.

A digest proves that a pack is what its maker wrote, not that its maker was honest: that is what
`latents/verification.py` is for.
"""

import json
import os
import struct
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from latents.archives import ARCHIVE_ERRORS
from latents.chain import PLACES, Chain, Record, read_chain
from latents.files import own_partial_name, remove, remove_leftovers, settle
from latents.lock import is_locked
from latents.pack import FORMAT, MANIFEST, Manifest, copy_blocks, header, member
from latents.problem import Problem
from latents.progress import Progress
from latents.record import SUFFIX, digest, is_dropped, read_record, record_path, sealed

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


def check_pack(file: Path) -> Pack:
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
        progress.show(number, {})
    return Pack(file, manifest, _read_chain(archive, manifest, entries))


def _refuse_members(members: list[zipfile.ZipInfo]) -> None:
    """Plain, stored, unencrypted files, each name once: as they are packed."""
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
    """Only below the folders that the workflow writes to, in the one plain spelling."""
    place = PurePosixPath(path)
    plain = str(place) == path and "\\" not in path and "\0" not in path
    if not plain or ".." in place.parts or place.parts[0] not in PLACES or len(place.parts) < 2:
        raise Problem(f"{path} lies outside {' and '.join(f'{name}/' for name in PLACES)}")


def _read_chain(archive: zipfile.ZipFile, manifest: Manifest, entries: dict[str, Any]) -> Chain:
    """The chain that the packed records tell, which must be all that is packed."""
    records: dict[str, Record] = {
        path.removesuffix(SUFFIX): json.loads(_text(archive, path))
        for path in entries
        if path.endswith(SUFFIX)
    }
    chain = read_chain(manifest["target"], records.get)
    made = dict(chain.outputs())
    dropped = {path for path in made if path not in entries and records[path].get("expendable")}
    _refuse_other_names({*made, *(path + SUFFIX for path in made)} - dropped, set(entries))
    for path, found in made.items():
        if path not in dropped and entries[path]["sha256"] != found:
            raise Problem(f"{path} is not what its record says was written there")
    if manifest != {**header(chain), "files": manifest["files"], "seal": manifest["seal"]}:
        raise Problem("its manifest does not tell what its records tell")
    return chain


def _text(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > LARGEST_TEXT:
        raise Problem(f"{name} is too long")
    return archive.read(name)


def place_pack(pack: Pack, folder: Path) -> list[str]:
    """Place what is not there already, every file after those it was made from; returns the paths.

    All files lie on the disk under temporary names before the first gets its own, so that a full
    disk leaves nothing behind. A record comes after its artefact: a kill between the two leaves an
    artefact without one, which counts as stale, and which the next try completes.
    """
    if is_locked(folder / ".snakemake"):
        raise Problem("a Snakemake run holds this folder; unpack when it has ended")
    paths = _wanted(pack, folder)
    try:
        with zipfile.ZipFile(pack.file) as archive:
            for path in paths:
                remove_leftovers(folder / path)  # of a try that was killed
                _write(archive, path, own_partial_name(folder / path))
        for path in paths:
            if not path.endswith(SUFFIX):
                remove(record_path(folder / path))  # never a new file beside an old record
            settle(own_partial_name(folder / path), folder / path)
    except (OSError, zipfile.BadZipFile) as error:
        raise Problem(
            f"the files could not be placed ({error}); mend that and unpack again"
        ) from error
    finally:
        for path in paths:
            remove(own_partial_name(folder / path))
    return paths


def _wanted(pack: Pack, folder: Path) -> list[str]:
    """Files of the pack that are not here yet; refused where another one is in the way."""
    wanted: list[str] = []
    in_the_way: list[str] = []
    keys = {path: job["key"] for job in pack.chain.jobs for path in job["outputs"]}
    packed = {entry["path"] for entry in pack.manifest["files"]}
    for path, found in pack.chain.outputs():
        here, record = folder / path, read_record(folder / path)
        other = record is not None and record["key"] != keys[path]
        if is_dropped(here) and (other or path not in packed):
            if other:
                in_the_way.append(f"the record of {path} is here already, and another one")
        elif not os.path.lexists(here):
            wanted += [name for name in (path, path + SUFFIX) if name in packed]
        elif not here.is_file() or digest(here) != found:
            in_the_way.append(f"{path} is here already, and another one")
        elif record is None:
            wanted.append(path + SUFFIX)
        elif other:
            in_the_way.append(f"{path} is here already, made by another code or from other inputs")
    if in_the_way:
        more = f" (and {len(in_the_way) - 1} more like it)" if len(in_the_way) > 1 else ""
        raise Problem(
            f"{in_the_way[0]}{more}; move it away or unpack in another clone; nothing was written"
        )
    return wanted


def _write(archive: zipfile.ZipFile, path: str, temporary: Path) -> None:
    temporary.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(path) as source, temporary.open("wb") as copy:
        copy_blocks(source, copy)
        copy.flush()
        os.fsync(copy.fileno())  # some file systems find out only then that they are full
