"""A chain as a Workflow Run RO-Crate, for archives and for other people's tools.

Follows the Process, Workflow and Provenance Run Crate profiles 0.5 on RO-Crate 1.1. Files lie where
they lie in the project, so that an unpacked crate is a working copy of it.
"""

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from rocrate.model import DataEntity, File
from rocrate.rocrate import ROCrate

from latents.provenance.chain import Chain, present_files, record_file
from latents.provenance.crate_run import Draft, add_run, add_workflow, end
from latents.runtime.environment import CODE
from latents.runtime.record import digest
from latents.runtime.sources import ROOT

SOURCES = (*CODE, "Makefile", "README.md", "pyproject.toml", "report")
LICENCE = "The repository of the project states no licence."
TERMS = {"sha256": "http://schema.org/sha256"}  # younger than the vocabulary of RO-Crate 1.1
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/ro/wfrun/provenance/0.5": "Provenance Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
# Tables, texts and pictures; any other artefact is shipped only on request.
SMALL = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".txt": "text/plain",
}
FORMATS = {
    **SMALL,
    "": "text/plain",  # Snakefile, Makefile
    ".css": "text/css",
    ".h5": "application/x-hdf5",
    ".html": "text/html",
    ".in": "text/plain",
    ".js": "text/javascript",
    ".lock": "text/plain",
    ".md": "text/markdown",
    ".py": "text/x-python",
    ".rst": "text/x-rst",
    ".smk": "text/plain",
    ".toml": "application/toml",
    ".yaml": "application/yaml",
}


def source_files() -> list[str]:
    """Return the project's own files, by their path from its root."""
    found = [path for name in SOURCES for path in (ROOT / name, *(ROOT / name).rglob("*"))]
    kept = [path for path in found if path.is_file() and path.suffix in FORMATS]
    return sorted(str(path.relative_to(ROOT)) for path in kept)


def build_crate(chain: Chain, targets: list[str], sources: list[str], *, by_value: bool) -> ROCrate:
    """Return the description of a chain, with the places of the files that belong to it."""
    draft = Draft(ROCrate(version="1.1"), {})
    for name in sources:
        _add_file(draft, name, ROOT / name, digest(ROOT / name))
    made = dict(chain.outputs())
    for name, found in present_files(chain).items():
        there = name in made and Path(name).exists()  # or dropped once it was used
        shipped = there and (by_value or Path(name).suffix in SMALL)
        _add_file(draft, name, Path(name), found, shipped=shipped)
    for record in sorted(map(record_file, chain.jobs)):
        _add_file(draft, record, Path(record), digest(Path(record)))
    add_workflow(draft, chain)
    add_run(draft, chain, targets)
    _describe_root(draft, chain, targets)
    return draft.crate


def _add_file(draft: Draft, name: str, path: Path, found: str, *, shipped: bool = True) -> None:
    """Add a file; one that is not shipped is a name with a digest and no address."""
    content = {
        "@type": "File",
        "name": name,
        "encodingFormat": FORMATS.get(path.suffix, "application/octet-stream"),
        "sha256": found,
        **({"contentSize": str(path.stat().st_size)} if path.exists() else {}),
    }
    if shipped:
        draft.files[name] = draft.crate.add_file(path, name, properties=content)
    else:
        content["description"] = "Not in this crate; known by its digest."
        named = DataEntity(draft.crate, f"#{quote(name)}", content)
        draft.files[name] = draft.crate.add(named)


def _describe_root(draft: Draft, chain: Chain, targets: list[str]) -> None:
    root, metadata = draft.crate.root_dataset, draft.crate.metadata
    captions = [Path(name).read_text() for name in targets if name.endswith(".txt")]
    root["name"] = f"{targets[0]} and how it was made"
    root["description"] = "".join(captions).strip()
    root["license"] = draft.add("#licence", "CreativeWork", name="Licence", description=LICENCE)
    root["datePublished"] = max(map(end, chain.jobs))  # not today: equal chains, equal crates
    root["mainEntity"] = draft.files["Snakefile"]
    root["conformsTo"] = [
        draft.add(address, "CreativeWork", name=name, version=address.rsplit("/", 1)[1])
        for address, name in PROFILES.items()
    ]
    draft.files["README.md"]["about"] = root
    metadata["conformsTo"] = [{"@id": metadata.profile}, {"@id": list(PROFILES)[-1]}]
    metadata.extra_terms = TERMS


def write_crate(crate: ROCrate, path: Path, comment: str) -> None:
    """Write an archive with sorted names and no times of its own: equal content, equal bytes."""
    files = {unquote(e.id): Path(e.source) for e in crate.data_entities if isinstance(e, File)}
    described = crate.metadata.generate()
    described["@graph"] = sorted(map(_compact, described["@graph"]), key=lambda e: str(e["@id"]))
    text = json.dumps(described, indent=1, sort_keys=True).encode()
    with zipfile.ZipFile(path, "w") as archive:
        archive.comment = comment.encode()
        archive.writestr(_member(crate.metadata.id, len(text)), text)
        for name, file in sorted(files.items()):
            member = _member(name, file.stat().st_size)
            with file.open("rb") as source, archive.open(member, "w") as target:
                shutil.copyfileobj(source, target)


def _compact(entity: dict[str, Any]) -> dict[str, Any]:
    """Return a single value without its list, as the format recommends."""
    return {
        key: value[0] if isinstance(value, list) and len(value) == 1 else value
        for key, value in entity.items()
    }


def _member(name: str, size: int) -> zipfile.ZipInfo:
    """Return the header of a member, dated by the format's earliest time."""
    member = zipfile.ZipInfo(name)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    member.file_size = size
    return member
