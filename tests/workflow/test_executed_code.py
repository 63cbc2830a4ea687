"""Every function that a job executes is in its fingerprint, or in the written list."""

import pytest

from latents.runtime.code_reach import is_unresolved
from latents.runtime.code_units import read_module
from latents.runtime.fingerprint import fingerprint
from latents.runtime.neutral_code import NEUTRAL, neutral_reach
from latents.runtime.record import read_record
from latents.runtime.sources import import_closure
from latents.runtime.supervision import CONFIGURATION, FORCED
from latents.workflow.registry import registry
from tests.conftest import ROOT
from tests.workflow.every_kind import Everything, arguments
from tests.workflow.test_neutral_code import SLOW

SCRIPTS = sorted(path.stem for path in (ROOT / "scripts").glob("*.py"))
FOLDERS = [
    "claims/criteria", "claims/terms", "data/twins", "data/variations", "evaluation/metrics",
    "figures/plots", "models/networks", "models/objectives", "models/priors",
]  # fmt: skip
# Readers of large originals are watched in tests/unit/data; nothing is downloaded here.
ELSEWHERE = {"obtain_originals"}


def unit_of(path: str, name: str) -> str:
    """The unit of a function by its qualified name; nested ones belong to the outermost."""
    outer = name.partition(".<locals>")[0]
    return outer if outer in read_module(path).units else outer.partition(".")[0]


def test_every_function_that_runs_is_covered(everything: Everything):
    neutral = {address for entry in NEUTRAL for address in neutral_reach(entry)}
    uncovered: dict[str, set] = {}
    for (step, modules), job in everything.kinds.items():
        record = read_record(everything.clone.folder / job.outputs[0])
        if record["seconds"] > SLOW:
            continue
        told = everything.server.ask(
            tree=str(everything.clone.folder),
            step=step,
            arguments=arguments(job),
            variables={FORCED: "yes", CONFIGURATION: "{}"},
            whole=True,
            watched=True,
        )
        assert told["error"] is None, f"{step} {modules}: {told}"
        units = fingerprint(step, modules).units
        for path, name in told["called"]:
            unit = unit_of(path, name)
            if name.startswith("<"):  # a constant's comprehension, at import
                continue
            if unit not in units.get(path, {}) and f"{path}:{unit}" not in neutral:
                uncovered.setdefault(f"{path}:{unit}", set()).add(step)
        assert read_record(everything.clone.folder / job.outputs[0])["outputs"] == record["outputs"]
    assert uncovered == {}


def test_every_step_and_every_registered_module_is_among_them(everything: Everything):
    assert {step for step, _ in everything.kinds} | ELSEWHERE == set(SCRIPTS)
    named = {module for _, modules in everything.kinds for module in modules}
    wanted = {f"{folder}/{name}" for folder in FOLDERS for name in registry(folder)}
    assert wanted - named == set()


@pytest.mark.parametrize("script", SCRIPTS)
def test_next_to_nothing_acts_on_import_or_is_looked_up_by_computed_names(script):
    """Such places reach whole modules; only what makes a crate, of all code, has some."""
    if script == "export_crate":
        return
    files = import_closure(f"scripts/{script}.py")
    acting = {
        f"{f}:{name}" for f in files for name in read_module(f).acts if "__main__" not in name
    }
    assert acting == set()
    units = fingerprint(script).units
    assert not [
        f"{p}:{n}" for p, names in units.items() for n in names if is_unresolved(f"{p}:{n}")
    ]
