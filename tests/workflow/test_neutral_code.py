"""Code that fingerprints leave out: results are the same without it."""

import pytest

from latents.runtime.code_units import read_module
from latents.runtime.fingerprint import fingerprint
from latents.runtime.neutral_code import NEUTRAL, neutral_units, offences
from latents.runtime.record import read_record
from tests.unit.runtime.small_repository import forget_code
from tests.workflow.every_kind import Everything

SLOW = 20  # seconds; procedural twins are drawn by the same code as faster ones


def test_every_step_makes_the_same_bytes_without_what_surrounds_it(everything: Everything):
    """Neither leases, records and refusals nor the allocator's variables touch a result."""
    others = []
    for kind, job in everything.kinds.items():
        record = read_record(everything.clone.folder / job.outputs[0])
        if kind[0] == "export_crate" or record["seconds"] > SLOW:
            continue  # a crate holds records, which are what is left out here
        found = everything.server.run_bare(job, everything.clone.folder)
        if found != record["outputs"]:
            others.append((kind, found))
    assert others == []


def test_every_entry_is_there_and_neutral():
    assert neutral_units() == set(NEUTRAL)
    for address in NEUTRAL:
        path, _, name = address.partition(":")
        assert name in read_module(path).units


KEY = "def job_key(job: dict[str, Any], inputs: dict[str, str]) -> str:\n"
ADDED = [  # file of latents/runtime, where, what is added there, what is said about it
    (
        "lease.py",
        "    me = this_process()\n",
        "    import torch\n    torch.set_default_dtype(torch.float64)\n",
        "uses torch.set_default_dtype",
    ),
    ("gpu_slots.py", 'by\n    name.\n    """\n', "    os.environ['X'] = '1'\n", "uses os.environ"),
    (
        "progress.py",
        "        self.shown = now\n",
        "        import numpy as np\n        np.random.seed(0)\n",
        "uses numpy.random.seed",
    ),
    ("record.py", KEY, "    job['values']['seed'] = 1\n", "changes job"),
    (
        "supervision.py",
        "    _refuse_several_folders(step)\n",
        "    step.job.update(values={})\n",
        "changes step",
    ),
    ("failures.py", 'if nothing."""\n', "    exec('x = 1')\n", "uses exec"),
]


@pytest.mark.parametrize(("path", "after", "added", "said"), ADDED)
def test_an_edit_that_could_touch_a_result_makes_it_count(path, after, added, said, tree):
    before = fingerprint("publish_figure").digest
    file = tree / "latents" / "runtime" / path
    text = file.read_text()
    assert text.count(after) == 1
    file.write_text(text.replace(after, after + added))
    forget_code()
    assert neutral_units() < set(NEUTRAL)
    assert any(said in words for entry in NEUTRAL for words in offences(entry))
    if path != "progress.py":  # a published figure is copied without progress
        assert fingerprint("publish_figure").digest != before
