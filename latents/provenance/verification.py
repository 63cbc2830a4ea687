"""Verification: making the chain of a target again, and comparing.

The chain is rebuilt in a scratch folder by the same Snakefile under the recorded configuration,
whole or in a sample, and every artefact is compared with the recorded one. Files of the working
tree are linked or copied, never written to: every step writes under a new name and renames.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from latents.provenance.audit import FRESH, STALE, Audit
from latents.provenance.chain import Chain, Record, record_file
from latents.provenance.comparison import DIVERGES, IDENTICAL, WITHIN, Agreement, compare
from latents.runtime.atomic_files import remove
from latents.runtime.errors import Problem
from latents.runtime.record import forget, is_dropped, read_record
from latents.runtime.sources import ROOT
from latents.workflow.differences import value_changes
from latents.workflow.dry_run import config_options

# Shares of the largest number beside them by which numbers may differ between machines, whose
# processors add in another order and so round otherwise, by 1e-7 in float32.
#
# A training feeds its rounding back. With other vector instructions on the same processor, losses
# of one differed by 5e-7 after 220 steps and by 7e-3 after 420; after 2,000 its weights had nothing
# in common. No tolerance tells that from forgery: a long training comes out again only on a machine
# like its own, and is reported as diverging elsewhere, together with how the machines differ.
TRAINED = 1e-3
ENCODED = 1e-4  # one pass through a network, in float32
TABULATED = 1e-6  # computed in float64 from numbers that are the same
PROGRESS = re.compile(r"\d+ of \d+ steps")  # of all that Snakemake says, what tells of it
PICTURES = (".pdf", ".png", ".txt")
Steps = dict[str, list[Record]]


@dataclass(frozen=True)
class Compared:
    """One artefact, recorded and rebuilt."""

    path: str
    step: str
    agreement: Agreement


def refuse_broken(audit: Audit) -> list[str]:
    """Return why the present tree would make something else; refuse a chain with holes."""
    for node in audit.nodes.values():
        if node.verdict not in (FRESH, STALE):
            raise Problem(f"{node.path} is {node.verdict}: {'; '.join(node.reasons)}")
    if audit.remark:
        raise Problem(audit.remark)
    own = (f"{node.step}: {why}" for node in audit.nodes.values() for why in node.reasons)
    return sorted({why for why in own if not why.endswith(f" is {STALE}")})


def choose_sample(steps: Steps, size: int, seed: int) -> Steps:
    """Return the `size` jobs of each step whose sha256("<seed> <first output>") is smallest."""

    def rank(job: Record) -> str:
        return hashlib.sha256(f"{seed} {min(job['outputs'])}".encode()).hexdigest()

    return {step: sorted(jobs, key=rank)[:size] for step, jobs in steps.items()}


def rebuild(chain: Chain, folder: Path, scratch: Path, cores: str) -> None:
    """Rebuild the whole chain from the user's files."""
    link(own_files(chain, folder), folder, scratch)
    _snakemake([chain.target], chain, scratch, cores)


def rebuild_sample(chain: Chain, sample: Steps, folder: Path, scratch: Path, cores: str) -> None:
    """Rebuild each sampled job from recorded inputs, the last step first, while these exist."""
    link(own_files(chain, folder), folder, scratch)
    link((Path(path) for path, _ in chain.outputs()), folder, scratch)
    link((Path(record_file(job, folder)) for job in chain.jobs), folder, scratch)
    for step, jobs in reversed(sample.items()):
        outputs = sorted(path for job in jobs for path in job["outputs"])
        print(f"{step}: rebuilding {len(jobs)} of {len(chain.steps()[step])}", flush=True)
        for path in outputs:
            remove(scratch / path)
            forget(scratch / path)
        _snakemake(outputs, chain, scratch, cores)


def own_files(chain: Chain, folder: Path) -> Iterator[Path]:
    """Return files that the chain was made from, and all beside the datasets' original files.

    Those with an absolute path are found from everywhere.
    """
    for name in chain.given:
        if not (folder / name).is_file():
            raise Problem(f"{name}, which {chain.target} was made from, is not there")
    places = {job["settings"].get("folder", "/") for job in chain.jobs}
    relative = [folder / place for place in places if not Path(place).is_absolute()]
    beside = (path for place in relative for path in place.rglob("*") if path.is_file())
    names = {*chain.given, *(str(path.relative_to(folder)) for path in beside)}
    for path in (Path(name) for name in names if not Path(name).is_absolute()):
        if ".." in path.parts:
            raise Problem(f"{path} lies outside the folder; name it by an absolute path instead")
        yield path


def link(paths: Iterable[Path], folder: Path, scratch: Path) -> None:
    """Link or copy the same files under the same names, with their times."""
    for path in paths:
        if is_dropped(folder / path):
            continue
        (scratch / path).parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link((folder / path).resolve(), scratch / path)
        except OSError:  # another disk
            shutil.copy2(folder / path, scratch / path)


def _snakemake(targets: list[str], chain: Chain, scratch: Path, cores: str) -> None:
    """Make only what is missing, whatever the present code says of the rest."""
    command = [sys.executable, "-m", "snakemake", *targets, "--snakefile", str(ROOT / "Snakefile")]
    command += ["--directory", str(scratch), "--cores", cores, "--rerun-triggers", "mtime"]
    command += config_options(chain.configuration)
    said = []
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        for line in running.stderr or []:
            said.append(line)
            if PROGRESS.match(line):
                print(line, end="", flush=True)
    if running.returncode:
        print("".join(said), end="", file=sys.stderr)
        raise Problem(f"the rebuild stopped, see above; what it made is in {scratch}")


def machine_changes(path: str, folder: Path, scratch: Path) -> list[str]:
    """Return how the machines of the recorded and the rebuilt artefact differ."""
    records = [read_record(place / path) for place in (folder, scratch)]
    old, new = (record["environment"] if record else {} for record in records)
    return value_changes(old, new)


def compare_all(steps: Steps, folder: Path, scratch: Path, *, sampled: bool) -> list[Compared]:
    """Compare in order, so that the first that diverges is where it begins.

    What is made from inputs that agree within a tolerance cannot be expected to agree better.
    """
    found: list[Compared] = []
    granted: dict[str, float] = {}  # tolerance of what was not identical
    for step, jobs in steps.items():
        for job in jobs:
            inherited = 0 if sampled else max((granted.get(i, 0) for i in job["inputs"]), default=0)
            for path, (tolerance, agreement) in _judge(job, inherited, folder, scratch).items():
                found.append(Compared(path, step, agreement))
                if agreement.verdict != IDENTICAL:
                    granted[path] = tolerance
    return found


def _judge(
    job: Record, inherited: float, folder: Path, scratch: Path
) -> dict[str, tuple[float, Agreement]]:
    """Compare a job's outputs, each with its tolerance; pictures after the tables they show."""
    judged: dict[str, tuple[float, Agreement]] = {}
    for path in sorted(job["outputs"], key=lambda path: Path(path).suffix in PICTURES):
        tolerance = max(inherited, _own_tolerance(job, path))
        agreement = _compare(path, job["outputs"][path], folder, scratch, tolerance)
        tables = {a.verdict for p, (_, a) in judged.items() if Path(p).suffix not in PICTURES}
        if Path(path).suffix in PICTURES and agreement.verdict != IDENTICAL:
            agreement = _by_table(agreement, tables)
        judged[path] = tolerance, agreement
    return judged


def _compare(path: str, then: str, folder: Path, scratch: Path, tolerance: float) -> Agreement:
    """Compare two artefacts; of dropped ones only the recorded digests."""
    places = folder / path, scratch / path
    if not any(map(is_dropped, places)):
        return compare(*places, tolerance)
    record = read_record(scratch / path)
    if record and record["outputs"][path] == then:
        return Agreement(IDENTICAL, "by its digest; the file was dropped once it was used")
    return Agreement(DIVERGES, "its digest is another one, and the file was dropped once used")


def _by_table(agreement: Agreement, tables: set[str]) -> Agreement:
    """Judge a picture that differs by whether the numbers it shows agree."""
    if DIVERGES in tables:
        return Agreement(DIVERGES, "its table diverges")
    if agreement.verdict == DIVERGES and WITHIN in tables:
        return Agreement(WITHIN, "drawn from numbers that agree")
    return agreement


def _own_tolerance(job: Record, path: str) -> float:
    if job["step"] == "train_model":
        return TRAINED
    return TABULATED if Path(path).suffix == ".csv" else ENCODED
