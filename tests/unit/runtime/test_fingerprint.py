"""Fingerprints: what changes them and what must not."""

import ast
import subprocess
from pathlib import Path
from shutil import which

import pytest

from latents.runtime.errors import Problem
from latents.runtime.fingerprint import fingerprint, source_hash
from tests.conftest import ROOT

SOURCE = '''
"""Module."""
import numpy as np

class A:
    """Class."""
    def f(self, x: float, *, y=2) -> float:
        """Function."""
        return x + y  # sum

def g(items):
    return [f"{i:>{len(items)}}" for i in items if i != "a"]
'''


@pytest.mark.parametrize(
    "same",
    [
        SOURCE.replace("# sum", "# something else"),
        SOURCE.replace('"""Function."""', '"""Another text."""'),
        SOURCE.replace('        """Function."""\n', ""),
        SOURCE.replace('"""Module."""\n', ""),
        SOURCE.replace("x + y", "(x\n            + y)"),
        SOURCE.replace('"a"', "'a'"),
        ast.unparse(ast.parse(SOURCE)),
    ],
)
def test_comments_docstrings_and_layout_change_nothing(same):
    assert same != SOURCE
    assert source_hash(same) == source_hash(SOURCE)


@pytest.mark.parametrize(
    "other",
    [
        SOURCE.replace("x + y", "x - y"),
        SOURCE.replace("x + y", "y + x"),
        SOURCE.replace("y=2", "y=3"),
        SOURCE.replace("y=2", "y=2.0"),
        SOURCE.replace("y=2", "y"),
        SOURCE.replace("*, y", "y"),
        SOURCE.replace('"a"', '"b"'),
        SOURCE.replace(":>", ":<"),
        SOURCE.replace("import numpy as np", "import numpy"),
        SOURCE.replace("def g", "async def g"),
    ],
)
def test_anything_that_runs_changes_the_hash(other):
    assert other != SOURCE
    assert source_hash(other) != source_hash(SOURCE)


def test_an_empty_text_counts_outside_formatted_strings():
    assert source_hash("f('')") != source_hash("f()")


def test_hash_is_the_same_under_every_python_of_this_machine():
    """And the same as when it was first written, under 3.11."""
    assert source_hash(SOURCE) == "27bea065a8e1fda1"
    script = "import sys; from latents.runtime.fingerprint import source_hash as h\n"
    script += "print(h(sys.argv[1]))"
    for python in other_pythons():
        command = [python, "-c", script, SOURCE]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == source_hash(SOURCE), python


def test_real_sources_hash_the_same_under_every_python_of_this_machine():
    script = "from latents.runtime.fingerprint import fingerprint as f\n"
    script += "print(f('scripts/train_model.py'))"
    for python in other_pythons():
        done = subprocess.run(
            [python, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == str(fingerprint("scripts/train_model.py")), python


def other_pythons() -> list[str]:
    """Interpreters newer than 3.10 that are on the path or under pyenv."""
    found = [which(f"python3.{minor}") for minor in range(11, 16)]
    pyenv = Path.home() / ".pyenv" / "versions"
    found += [str(p) for p in pyenv.glob("3.1[1-9].*/bin/python")]
    return [
        p for p in found if p and subprocess.run([p, "-c", ""], capture_output=True).returncode == 0
    ]


def test_closure_follows_imports_and_leaves_out_what_is_not_used():
    closure = fingerprint("scripts/train_model.py", "latents/models/objectives/dip_vae.py")
    assert {
        "latents/models/vae.py",
        "latents/models/training.py",
        "latents/models/objective.py",
    } <= set(closure)
    assert "latents/models/objectives/beta_vae.py" not in closure
    assert not any("metrics" in path or "plots" in path or "config" in path for path in closure)


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("from .helper import X", "latents/evaluation/metrics/helper.py"),
        ("from ...helper import X", "latents/helper.py"),
        ("from . import helper", "latents/evaluation/metrics/helper.py"),
        ("def f():\n    import latents.helper as h", "latents/helper.py"),
        ("from latents import helper", "latents/helper.py"),
        ("import beside", "scripts/beside.py"),
    ],
)
def test_closure_finds_every_way_to_import(line, file, tmp_path, monkeypatch):
    for name in ("latents/evaluation/metrics/a.py", "scripts/s.py", file):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("X = 1\n")
    (tmp_path / "latents/evaluation/metrics/a.py").write_text(line)
    monkeypatch.setattr("latents.runtime.fingerprint.ROOT", tmp_path)
    clear_caches()
    assert set(fingerprint("latents/evaluation/metrics/a.py")) == {
        "latents/evaluation/metrics/a.py",
        file,
    }
    clear_caches()


def test_broken_code_is_named_with_its_line(tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text("x = 1\ny = (\n")
    monkeypatch.setattr("latents.runtime.fingerprint.ROOT", tmp_path)
    clear_caches()
    with pytest.raises(Problem, match=r"a\.py, line 2: "):
        fingerprint("a.py")
    clear_caches()


def clear_caches() -> None:
    from latents.runtime.fingerprint import _imports, file_hash

    file_hash.cache_clear()
    _imports.cache_clear()


def test_closure_leaves_out_the_harness_that_computes_nothing():
    closure = fingerprint("scripts/score_metric.py")
    harness = {f"latents/runtime/{name}.py" for name in ("step", "command_line", "record")}
    assert not harness & set(closure)


@pytest.mark.parametrize("script", ["classify_variables", "score_metric", "draw_figure"])
def test_torch_ends_at_the_representation(script):
    """Nothing after the representation imports torch, directly or through the library."""
    modules = [
        f"latents/{p.parent.name}/{p.name}"
        for f in ("metrics", "plots")
        for p in (ROOT / "latents" / f).glob("*.py")
    ]
    for path in fingerprint(f"scripts/{script}.py", *modules):
        tree = ast.parse((ROOT / path).read_text())
        names = [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
        names += [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
        assert not any(name.split(".")[0] in ("torch", "safetensors") for name in names), path
