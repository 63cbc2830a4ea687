"""Whatever job's bytes a mutation of the library really changes was planned as stale.

    MUTATIONS=200 python -m pytest tests/workflow/test_mutations.py -s

Jobs that a mutation makes stale need not run. Of the others, those that import the mutated file are
run without their harness, on the inputs and under the keys of the unchanged ones.
"""

import os
import random

import pytest

from latents.runtime.record import read_record
from tests.conftest import ROOT
from tests.unit.runtime.small_repository import forget_code
from tests.workflow.every_kind import Everything, Kind, files_of
from tests.workflow.mutations import mutate
from tests.workflow.test_neutral_code import SLOW

COUNT = int(os.environ.get("MUTATIONS", 0))
AT_MOST = 6  # jobs of one mutation
ROOMS = ("runtime", "data", "models", "encoding", "evaluation", "claims", "figures")


@pytest.mark.skipif("MUTATIONS" not in os.environ, reason="takes minutes: set MUTATIONS=200")
def test_no_change_of_bytes_is_missed(everything: Everything, tree):
    library = [p for room in ROOMS for p in (ROOT / "latents" / room).rglob("*.py")]
    paths = sorted(str(p.relative_to(ROOT)) for p in [*library, *(ROOT / "scripts").glob("*.py")])
    before = everything.digests()
    files = {kind: files_of(kind) for kind in before}
    chooser, missed, failed, ran = random.Random(0), [], 0, 0
    for mutation in mutate(tree, paths, COUNT, seed=0):
        original = (tree / mutation.path).read_text()
        (tree / mutation.path).write_text(mutation.text)
        forget_code()
        after = everything.digests()
        fresh = [kind for kind in before if before[kind] == after[kind]]
        risky = [
            kind for kind in fresh if mutation.path in files[kind] and is_quick(kind, everything)
        ]
        for kind in chooser.sample(risky, min(AT_MOST, len(risky))):
            job, ran = everything.kinds[kind], ran + 1
            record = read_record(everything.clone.folder / job.outputs[0])
            found = everything.server.run_bare(job, tree)
            failed += isinstance(found, str)  # no result is no wrong result
            if not isinstance(found, str) and found != record["outputs"]:
                missed.append(f"{mutation.path}:{mutation.line} {mutation.what}: {kind}")
        (tree / mutation.path).write_text(original)
    print(f"{COUNT} mutations, {ran} runs of jobs called fresh, {failed} of them failed: ", end="")
    print(f"{len(missed)} missed")
    assert ran > COUNT / 4
    assert missed == []


def is_quick(kind: Kind, everything: Everything) -> bool:
    job = everything.kinds[kind]
    record = read_record(everything.clone.folder / job.outputs[0])
    return kind[0] != "export_crate" and record["seconds"] < SLOW
