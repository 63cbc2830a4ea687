"""Packs: the finished artefacts of a chain with their records, for another clone.

A pack is a plain zip archive of stored members: nothing is compressed, so that equal content gives
equal bytes with any zlib, and no small pack can grow into a huge file. `manifest.json` lists its
content. The user's own data are never packed; they are known by their digests.
"""

import hashlib
import json
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from latents.provenance.chain import Chain, read_chain, record_file
from latents.runtime.atomic_files import replacing
from latents.runtime.errors import Problem
from latents.runtime.progress import Progress
from latents.runtime.record import digest, is_dropped, read_record, sealed

MANIFEST = "manifest.json"
FORMAT = 2
MOMENT = (1980, 1, 1, 0, 0, 0)  # the first that a zip archive can name
BLOCK = 1 << 20
Manifest = dict[str, Any]


def write_pack(target: str, folder: Path, file: Path) -> tuple[Chain, Manifest]:
    """Pack all that a target of a folder depends on; the file appears only once it is complete."""
    if file.exists():
        raise Problem(f"{file} is there already; move it away or name another file")
    chain = read_chain(target, lambda path: read_record(folder / path))
    files = list(_files(chain, folder))
    manifest = sealed({**header(chain), "files": files})
    text = (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode()
    progress = Progress(file.name, len(files), unit="file")
    with replacing(file) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        archive.writestr(member(MANIFEST, len(text)), text)
        for number, entry in enumerate(files, start=1):
            _add(archive, folder, entry)
            progress.show(number)
    return chain, manifest


def header(chain: Chain) -> Manifest:
    """Return a manifest without its files; `code` is the commit that made the target."""
    return {
        "format": FORMAT,
        "target": chain.target,
        "code": chain.jobs[-1]["code"],
        "configuration": chain.configuration,
        "given": chain.given,
    }


def _files(chain: Chain, folder: Path) -> Iterator[dict[str, Any]]:
    """Return artefacts and their records, by name; of dropped artefacts only the records."""
    places = [record_file(job, folder) for job in chain.jobs]
    records = {path: digest(folder / path) for path in places}
    made = {path: found for path, found in chain.outputs() if not is_dropped(folder / path)}
    for path, expected in sorted({**made, **records}.items()):
        if not (folder / path).is_file():
            raise Problem(f"{path} is not there; build it, then pack")
        yield {"path": path, "bytes": (folder / path).stat().st_size, "sha256": expected}


def member(name: str, size: int) -> zipfile.ZipInfo:
    """Return the header of a plain file without a date; the size decides about long numbers."""
    info = zipfile.ZipInfo(name, MOMENT)
    info.create_system = 3  # Unix, also where it is written elsewhere
    info.external_attr = (stat.S_IFREG | 0o644) << 16
    info.file_size = size
    return info


def _add(archive: zipfile.ZipFile, folder: Path, entry: dict[str, Any]) -> None:
    path, info = entry["path"], member(entry["path"], entry["bytes"])
    with (folder / path).open("rb") as source, archive.open(info, "w") as copy:
        found = copy_blocks(source, copy)
    if found != entry["sha256"]:
        raise Problem(f"{path} is not what its record says was written there; build it anew first")


def copy_blocks(source: IO[bytes], copy: IO[bytes] | None = None) -> str:
    """Return the digest of a stream, read in blocks, and copy it if there is a destination."""
    found = hashlib.sha256()
    while block := source.read(BLOCK):
        found.update(block)
        if copy is not None:
            copy.write(block)
    return found.hexdigest()
