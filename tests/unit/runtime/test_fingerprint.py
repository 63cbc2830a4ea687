"""Fingerprints: what changes them, what must not, and what they reach."""

import ast
import json
import subprocess
from pathlib import Path
from shutil import which

import pytest

from latents.runtime.errors import Problem
from latents.runtime.fingerprint import fingerprint
from tests.conftest import ROOT
from tests.unit.runtime.small_repository import forget_code, write

LIBRARY = '''
"""Module."""
import numpy as np
from math import ceil
from latents.other import helper, Base
from latents import far

LIMIT = 3
UNUSED = 4

class Shape(Base):
    """Class."""
    sides: int = 3

    def area(self, x: float, *, y=2) -> float:
        """Function."""
        return x + y * LIMIT  # sum

    def unused(self):
        return 1

    def __len__(self):
        return 7

def used(items):
    made = Shape()
    print("working", flush=True)
    texts = [f"{i:>{len(items)}}" for i in items if i != "a"]
    return texts, made.area(ceil(2.5)), helper(), far.f()

def unused(items):
    return np.mean(items)
'''
OTHER = """
from latents.runtime.errors import Problem

class Base:
    def area(self, x): return 0
    def inherited(self): return 5

def helper(count=1):
    if count < 0:
        raise Problem(f"negative: {count}")
    return count

def lonely(): return 1
"""
SCRIPT = """
from pathlib import Path
from latents.library import used

def work(*, files: list[Path], made: Path, x: int) -> None:
    made.write_text(str(used([x])))

if __name__ == "__main__":
    work(files=[], made=Path("made"), x=1)
"""
FILES = {
    "latents/library.py": LIBRARY,
    "latents/other.py": OTHER,
    "latents/far.py": "def f(): return 1\ndef g(): return 2\n",
    "latents/runtime/errors.py": "class Problem(Exception): pass\n",
    "scripts/work.py": SCRIPT,
}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Returns the digest of the script's fingerprint after edits of some files."""
    monkeypatch.setattr("latents.runtime.sources.ROOT", tmp_path)
    monkeypatch.setattr("latents.runtime.neutral_code.NEUTRAL", {})

    def digest(modules: tuple[str, ...] = (), /, **edited: str) -> str:
        write(tmp_path, FILES | {NAMES[name]: text for name, text in edited.items()})
        return fingerprint("work", modules).digest

    yield digest
    monkeypatch.undo()
    forget_code()


NAMES = {"library": "latents/library.py", "other": "latents/other.py", "script": "scripts/work.py"}
NAMES |= {"far": "latents/far.py", "init": "latents/__init__.py", "new": "latents/new.py"}


def replaced(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# sum", "# something else"),
        ('"""Function."""', '"""Another text."""'),
        ('        """Function."""\n', ""),
        ('"""Module."""\n', ""),
        ("x + y * LIMIT", "(x\n            + y * LIMIT)"),
        ('"a"', "'a'"),
        ("import numpy as np", "import numpy"),
        ("from math import ceil", "from math import ceil as up"),
        ("x: float, *", "x: int, *"),
        ("-> float", "-> int"),
        ('"working"', '"still working"'),
        ("UNUSED = 4", "UNUSED = 5"),
        ("return 1\n", "return 2\n"),
        ("return np.mean", "return np.median"),
        ("LIMIT = 3\nUNUSED = 4", "UNUSED = 4\nLIMIT = 3"),
        ("def unused(items)", "def another(items)"),
        ("    made = Shape()\n", '    made = Shape()\n    print("made")\n'),
        ("    made = Shape()\n", "    made = Shape()\n    assert made is not items\n"),
        ('    print("working", flush=True)\n', ""),
    ],
)
def test_what_cannot_change_a_result_changes_nothing(old, new, repository):
    before = repository()
    edited = replaced(LIBRARY, old, new)
    if "as up" in new:
        edited = replaced(edited, "ceil(2.5)", "up(2.5)")
    assert repository(library=edited) == before


def test_a_reformatted_file_changes_nothing(repository):
    before = repository()
    assert repository(library=ast.unparse(ast.parse(LIBRARY))) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x + y *", "x - y *"),
        ("x + y *", "y + x *"),
        ("y=2", "y=3"),
        ("y=2", "y=2.0"),
        ("y=2", "y"),
        ("*, y", "y"),
        ('"a"', '"b"'),
        (":>", ":<"),
        ("LIMIT = 3", "LIMIT = 4"),
        ("from math import ceil", "from math import floor as ceil"),
        ("Shape(Base)", "Shape"),
        ("sides: int = 3", "sides: int = 4"),
        ("sides: int = 3", "sides: float = 3"),
        ("return 7", "return 8"),
        ("made.area(", "made.inherited("),
        ("import helper", "import lonely as helper"),
        ("far.f()", "far.g()"),
        ("UNUSED = 4", "UNUSED = 4\nnp.seterr(all='raise')"),
        ("UNUSED = 4", "UNUSED = np.seterr(all='raise')"),
        ("def used", "async def used"),
        ("def used", "@np.vectorize\ndef used"),
        ('print("working", flush=True)', "print(items.pop())"),
        ('print("working", flush=True)', "assert items.pop()"),
    ],
)
def test_what_may_change_a_result_is_noticed(old, new, repository):
    assert repository() != repository(library=replaced(LIBRARY, old, new))


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("negative", "below zero", True),  # the words of an error
        ("count < 0", "count < 1", False),
        ("return 5", "return 6", True),  # a method that nobody looks up
        ("return 0", "return 2", True),  # overridden
        ("return count", "return -count", False),
        ("def lonely(): return 1", "def lonely(): return 2", True),
    ],
)
def test_units_of_imported_modules(old, new, same, repository):
    assert (repository() == repository(other=replaced(OTHER, old, new))) is same


def test_a_class_calls_what_it_overrides_by_super(repository):
    calling = replaced(LIBRARY, "return x + y", "return super().area(x) + x + y")
    before = repository(library=calling)
    assert repository(library=calling, other=replaced(OTHER, "return 0", "return 2")) != before


def test_annotations_of_a_script_say_which_arguments_are_lists(repository):
    before = repository()
    assert repository(script=replaced(SCRIPT, "files: list[Path]", "files: Path")) != before


def test_two_functions_exchanged_by_an_import(repository):
    """Both are reached before and after; only what a name stands for changes."""
    new = "from latents.far import f, g\ndef use(): return f() - g()\n"
    library = LIBRARY + "from latents.new import use\n"
    library = replaced(library, "far.f()", "use()")
    before = repository(library=library, new=new)
    swapped = replaced(new, "import f, g", "import f as g, g as f")
    assert repository(library=library, new=swapped) != before


@pytest.mark.parametrize("place", ["init", "other", "far"])
def test_what_acts_on_import_counts_wherever_it_stands(place, repository):
    before = repository()
    text = {"init": "", "other": OTHER, "far": FILES["latents/far.py"]}[place]
    assert repository(**{place: text + "\nimport os\nos.environ['X'] = '1'\n"}) != before


def test_a_function_that_moves_to_another_file_is_the_same(repository):
    before = repository()
    helper = OTHER[OTHER.index("def helper") : OTHER.index("def lonely")]
    start = "from latents.runtime.errors import Problem\n"
    moved = replaced(LIBRARY, "import helper, Base", "import Base\nfrom latents.new import helper")
    rest = replaced(OTHER, helper, "")
    assert repository(library=moved, other=rest, new=start + helper) == before
    away = replaced(LIBRARY, "from latents import far", "from latents import new as far")
    assert repository(library=away, new=FILES["latents/far.py"]) == before


@pytest.mark.parametrize(
    ("call", "reached"),
    [
        ("getattr(made, 'inherited')()", True),
        ("getattr(made, items[0])()", True),
        ("getattr(made, 'area')(1)", False),
    ],
)
def test_look_ups_by_computed_names_reach_everything(call, reached, repository):
    library = replaced(LIBRARY, "made.area(ceil(2.5))", call)
    before = repository(library=library)
    after = repository(library=library, other=replaced(OTHER, "return 5", "return 6"))
    assert (before != after) is reached


def test_modules_loaded_by_name(repository):
    """Of those, what is looked up on them counts; of others, nothing does."""
    plot = "def draw(x): return x\ndef hidden(): return 1\nclass New: size = 1\n"
    library = replaced(LIBRARY, "far.f()", "items.draw(3)")
    before = repository(("new",), library=library, new=plot)
    for old, new, same in (
        ("return x", "return -x", False),
        ("return 1", "return 2", True),
        ("size = 1", "size = 2", False),
    ):
        edited = replaced(plot, old, new)
        assert (repository(("new",), library=library, new=edited) == before) is same
    assert repository(library=library, new="def draw(x): return 1") == repository(library=library)


@pytest.mark.parametrize(
    "line",
    [
        "from .helper import X",
        "from . import helper\nX = helper.X",
        "from latents import helper\nX = helper.X",
        "import latents.helper as h\nX = h.X",
        "import latents.helper\nX = latents.helper.X",
        "from latents.helper import *",
    ],
)
def test_every_way_to_import(line, repository, tmp_path):
    script = replaced(SCRIPT, "import used", "import X")
    script = replaced(script, "str(used([x]))", "str(X)")
    (tmp_path / "latents").mkdir(exist_ok=True)
    helper = tmp_path / "latents/helper.py"
    found = []
    for value in (1, 2):
        helper.write_text(f"X = {value}\n")
        found.append(repository(script=script, library=line))
    assert found[0] != found[1]


def test_an_import_inside_a_function(repository):
    inside = "\n    from latents.new import X as x\n    return x"
    library = LIBRARY + f"def late():{inside}\n"
    library = replaced(library, "far.f()", "late()")
    before = repository(library=library, new="X = 1\nY = 1\n")
    assert repository(library=library, new="X = 1\nY = 2\n") == before
    assert repository(library=library, new="X = 2\nY = 1\n") != before


def test_local_names_hide_those_of_the_module(repository):
    """A comprehension's names are its own; a parameter hides a function."""
    library = LIBRARY + "def hide(unused):\n    return unused\n"
    library = replaced(library, "far.f()", "hide(1)")
    before = repository(library=library)
    assert repository(library=replaced(library, "np.mean", "np.median")) == before
    shown = replaced(library, "return unused\n", "return [x for unused in [1]], unused(2)\n")
    shown = replaced(shown, "def hide(unused)", "def hide(x)")
    before = repository(library=shown)
    assert repository(library=replaced(shown, "np.mean", "np.median")) != before


def test_broken_code_is_named_with_its_line(repository):
    with pytest.raises(Problem, match=r"latents/other\.py, line 2: "):
        repository(other="x = 1\ny = (\n")


def test_real_code_has_the_same_fingerprint_under_every_python_of_this_machine():
    modules = ("models/objectives/factor_vae", "models/networks/conv", "models/priors/lp_nested")
    script = "import json; from latents.runtime.fingerprint import fingerprint as f\n"
    script += (
        f"found = f('train_model', {modules!r}); print(json.dumps([found.digest, found.units]))"
    )
    here = fingerprint("train_model", modules)
    pythons = other_pythons()
    assert pythons
    for python in pythons:
        command = [python, "-c", script]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == [here.digest, here.units], python


def other_pythons() -> list[str]:
    """Interpreters newer than 3.10 that are on the path or under pyenv."""
    found = [which(f"python3.{minor}") for minor in range(11, 16)]
    pyenv = Path.home() / ".pyenv" / "versions"
    found += [str(p) for p in pyenv.glob("3.1[1-9].*/bin/python")]
    return [
        p for p in found if p and subprocess.run([p, "-c", ""], capture_output=True).returncode == 0
    ]


def test_a_training_reaches_what_it_uses_and_no_more():
    modules = ("models/objectives/dip_vae", "models/networks/conv", "models/priors/standard_normal")
    units = fingerprint("train_model", modules).units
    assert {"train", "optimise", "record_losses"} <= set(units["latents/models/training.py"])
    assert {"execute", "run"} <= set(units["latents/runtime/step.py"])
    assert "keyword_arguments" in units["latents/runtime/command_line.py"]
    assert "kl" in str(units["latents/models/priors/standard_normal.py"])
    assert "draw_codes" not in str(units)
    assert "latents/models/objectives/beta_vae.py" not in units
    assert not any("metrics" in path or "plots" in path or "workflow" in path for path in units)
    assert "latents/encoding/snapshots.py" not in units
    with_snapshots = fingerprint("train_model", (*modules, "encoding/snapshots")).units
    assert "Snapshots.take" in with_snapshots["latents/encoding/snapshots.py"]
