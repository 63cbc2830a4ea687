"""Fingerprints of jobs: one digest of all code that can touch a job's result.

They cover the script's function, the path from the command line into it, all that these reach, the
modules that the job's values name, and what acts when any of their files is imported. Packages from
outside belong to the environment; importing one is taken to set nothing.
"""

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from latents.runtime.code_reach import Reach, acts
from latents.runtime.errors import Problem
from latents.runtime.neutral_code import neutral_units
from latents.runtime.sources import ROOT, import_closure

Units = dict[str, dict[str, str]]  # hashes by file and name


@dataclass(frozen=True)
class Fingerprint:
    """What decides a job's result apart from its values and inputs."""

    digest: str
    units: Units
    files: frozenset[str]  # that may be imported


@cache
def fingerprint(script: str, modules: tuple[str, ...] = ()) -> Fingerprint:
    """Return the fingerprint of a script, and of the modules that it loads by name.

    Modules are given as in `models/priors/standard_normal`.
    """
    loaded = [f"latents/{module}.py" for module in modules]
    entries = [f"scripts/{script}.py", *loaded]
    reach = Reach(neutral_units())
    for address in acts(entries):
        reach.add(address)
    for path in loaded:
        reach.load(path)
    reach.complete()
    return Fingerprint(
        reach.digest(),
        reach.contents(),
        frozenset(file for path in entries for file in import_closure(path)),
    )


def refuse_changed(planned: str, found: Fingerprint) -> None:
    """Refuse a job whose code somebody edited after it was planned."""
    if found.digest != planned:
        raise Problem("its code was changed after this job was planned; run the same command again")


def refuse_uncovered(code: Fingerprint) -> None:
    """Refuse modules that were used but not fingerprinted: nothing would go stale with them."""
    files = [Path(f) for m in list(sys.modules.values()) if (f := vars(m).get("__file__"))]
    ours = [f for f in files if any(f.is_relative_to(ROOT / d) for d in ("latents", "scripts"))]
    uncovered = {str(f.relative_to(ROOT)) for f in ours} - code.files
    if uncovered:
        raise Problem(f"used code that its fingerprint does not cover: {sorted(uncovered)}")
