"""Placing a checked pack: existing files stay, and nothing is overwritten."""

import os
import zipfile
from pathlib import Path

from latents.provenance.chain import Record
from latents.provenance.pack import copy_blocks
from latents.provenance.pack_check import Pack
from latents.runtime.atomic_files import own_partial_name, remove, remove_leftovers, settle
from latents.runtime.errors import Problem
from latents.runtime.record import digest, forget, is_dropped, read_record
from latents.workflow.lock import is_locked


def place_pack(pack: Pack, folder: Path) -> list[str]:
    """Place what is missing, every file after those it was made from; return the paths.

    All files lie on the disk under temporary names before the first gets its own, so that a full
    disk leaves nothing behind. A record comes after its artefacts: a kill between them leaves
    artefacts without one, which count as stale, and which the next try completes.
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
            for output in pack.jobs[path]["outputs"] if path in pack.jobs else [path]:
                forget(folder / output)  # never a new file beside an old record
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
    """Return the files of the pack that are missing here; refuse if another file is in the way."""
    wanted: list[str] = []
    in_the_way: list[str] = []
    packed = {entry["path"] for entry in pack.manifest["files"]}
    for place, job in pack.jobs.items():
        outputs = sorted(job["outputs"])
        in_the_way += filter(None, (_obstacle(path, job, folder) for path in outputs))
        absent = [p for p in outputs if p in packed and not os.path.lexists(folder / p)]
        recorded = all(_key_here(folder / path) == job["key"] for path in outputs)
        wanted += [] if recorded and not absent else [*absent, place]
    if in_the_way:
        more = f" (and {len(in_the_way) - 1} more like it)" if len(in_the_way) > 1 else ""
        raise Problem(
            f"{in_the_way[0]}{more}; move it away or unpack in another clone; nothing was written"
        )
    return wanted


def _obstacle(path: str, job: Record, folder: Path) -> str:
    """Return what keeps a job's output from being placed; nothing where it may be, or is here."""
    here = folder / path
    other = _key_here(here) not in (None, job["key"])
    if is_dropped(here):
        return f"the record of {path} is here already, and another one" if other else ""
    if not os.path.lexists(here):
        return ""
    if not here.is_file() or digest(here) != job["outputs"][path]:
        return f"{path} is here already, and another one"
    return f"{path} is here already, made by another code or from other inputs" if other else ""


def _key_here(path: Path) -> str | None:
    """Return the key of the job that made a file here; None without a record."""
    record = read_record(path)
    return record["key"] if record else None


def _write(archive: zipfile.ZipFile, path: str, temporary: Path) -> None:
    temporary.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(path) as source, temporary.open("wb") as copy:
        copy_blocks(source, copy)
        copy.flush()
        os.fsync(copy.fileno())  # some file systems find out only then that they are full
