"""Small made-up trees and their packs, honest or not."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from latents.provenance.pack import MANIFEST, member
from latents.provenance.pack_check import check_pack
from latents.provenance.unpack import place_pack
from latents.runtime.errors import Problem
from latents.runtime.record import digest, job_key, record_path, sealed

TABLE, FIGURE = "results/small/table.csv", "figures/fig.txt"
RECORDS = {path: str(record_path(Path(path))) for path in (TABLE, FIGURE)}
GIVEN = "data/own.csv"


def make(folder: Path, step: str, inputs: tuple[str, ...], outputs: dict[str, str]) -> None:
    """Files and their record as a job would have left them."""
    for path, text in outputs.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    job = {"code": "c", "modules": [], "command": step, "values": {}}
    read = {path: digest(folder / path) for path in inputs}
    made = {path: digest(folder / path) for path in outputs}
    record = {"step": step, "key": job_key(job, read), "job": job, "inputs": read, "outputs": made}
    record |= {"also_read": {}, "configuration": {"seeds": 1}, "started": "", "seconds": 1}
    record |= {"code": {"commit": "c", "changed": []}}
    place = record_path(folder / next(iter(outputs)))
    place.parent.mkdir(exist_ok=True)
    place.write_text(json.dumps(sealed(record)))


def contents(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def unpack(pack: Path, folder: Path) -> list[str]:
    return place_pack(check_pack(pack), folder)


def rewrite(pack: Path, change) -> None:
    """The archive anew, with what `change` makes of its members' contents."""
    with zipfile.ZipFile(pack) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(pack, "w") as archive:
        for name, content in members.items():
            archive.writestr(member(name, len(content)), content)


def resealed(members: dict[str, bytes], **changes) -> None:
    """A manifest that fits its members again."""
    manifest = json.loads(members[MANIFEST]) | changes
    manifest["files"] = [
        {"path": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in members.items()
        if name != MANIFEST
    ]
    members[MANIFEST] = json.dumps(sealed(manifest)).encode()


def refused(pack: Path, there: Path, said: str) -> None:
    with pytest.raises(Problem, match=said) as caught:
        unpack(pack, there)
    assert "nothing was written" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(there.iterdir()) == []
