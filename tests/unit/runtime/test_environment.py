"""One lock is the source of truth: everything else follows it."""

import sys
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "envs"))
import lock

TEXT = lock.LOCK.read_text()
PINNED = {canonicalize_name(v.split("==")[0]): v.split("==")[1] for v in lock.versions(TEXT)}


def test_conda_environment_is_what_the_lock_says():
    assert lock.CONDA.read_text() == lock.conda_environment(TEXT)


def test_everything_asked_for_is_pinned_to_a_version_that_fits():
    lines = (ROOT / "envs" / "requirements.in").read_text().splitlines()
    for wanted in [Requirement(line) for line in lines if line and not line.startswith("#")]:
        assert PINNED[canonicalize_name(wanted.name)] in wanted.specifier


def test_every_package_but_torch_has_a_hash():
    blocks = TEXT.split("\n# ")[-1].split("\n")
    for number, line in enumerate(blocks):
        if "==" in line and not line.startswith("#"):
            has_hash = blocks[number + 1].strip().startswith("--hash=sha256:")
            assert has_hash != line.startswith("torch=="), line


def test_what_is_installed_here_is_what_the_lock_says():
    installed = {canonicalize_name(d.name): d.version for d in metadata.distributions()}
    for name, version in PINNED.items():
        assert installed[name].split("+")[0] == version, name
