"""Code that jobs run and that cannot touch a result: no part of fingerprints.

Every entry of `NEUTRAL` says why. Reading proves it as far as it can: an entry, with all that it
alone reaches, uses nothing from outside but `HARMLESS` (files, clocks, processes, texts), and
changes nothing that it is handed. An entry that does more counts like any other code from then on,
so that an edit which sets a flag of torch in the code of leases makes results stale. What reading
cannot prove is tested: `tests/workflow/test_neutral_code.py` runs every step without this code, and
`tests/unit/models/test_resuming.py` compares trainings that were saved and resumed with others.
"""

import ast
from collections.abc import Iterator
from functools import cache

from latents.runtime.code_reach import Reach, is_unresolved, reading_of
from latents.runtime.code_units import read_module

RUNTIME = "latents/runtime"
STATES = "latents/models/training_state.py"
NEUTRAL = {
    f"{RUNTIME}/supervision.py:supervised": "holds a copy of the job, never what a step is called "
    "with; it yields the key, which names a result, and the GPU, one like the others",
    f"{RUNTIME}/supervision.py:in_sentences": "says what went wrong with a job without a result",
    f"{RUNTIME}/progress.py:Progress": "prints numbers that are handed over one by one",
    f"{RUNTIME}/atomic_files.py:replacing": "names a file that is complete or absent",
    f"{STATES}:StateFolder": "saves a training without changing it, and brings a new one to where "
    "it was: it ends with the same bits",
    "latents/models/training.py:refuse_diverged": "ends a job, or does nothing",
    "latents/models/objective.py:Objective.own_optimizers": "tells saved states of none",
}
# These change what they are handed: a new training, to the state of an interrupted one.
RESTORING = {f"{STATES}:{name}" for name in ("read_state", "_restore", "StateFolder.resume")}
# These write files of their own; no other neutral code may write any.
WRITING = {
    f"{RUNTIME}/supervision.py:_watched", f"{RUNTIME}/supervision.py:leave_word",
    f"{RUNTIME}/lease.py:_create", f"{RUNTIME}/gpu_slots.py:_locked",
    "latents/models/checkpoint.py:write_checkpoint",
}  # fmt: skip
WRITERS = {"write", "write_bytes", "write_text", "writelines", "truncate", "tofile", "save"}
# Modules, or names of modules, that neither compute results nor set how they are computed.
HARMLESS = {
    "argparse", "collections", "contextlib", "copy", "dataclasses", "datetime", "errno", "fcntl",
    "functools", "glob", "hashlib", "importlib.metadata", "inspect.signature", "itertools", "json",
    "math", "mmap", "pathlib", "platform", "psutil", "re", "resource", "safetensors", "shutil",
    "signal", "socket", "subprocess", "tempfile", "threading", "time", "typing", "uuid",
    "os._exit", "os.cpu_count", "os.environ.get", "os.fstat", "os.fsync", "os.getpid", "os.getuid",
    "os.link", "os.listdir", "os.path", "os.stat", "os.utime",
    "sys.executable", "sys.exit", "sys.modules", "sys.platform", "sys.stderr", "sys.version_info",
    "ast", "numpy.int64", "numpy.uint32", "torch.empty_like", "torch.float64", "torch.from_numpy",
    "torch.tensor",
}  # fmt: skip
BUILTINS_THAT_ACT = {"compile", "delattr", "eval", "exec", "globals", "input", "locals", "setattr"}
# Methods that change their object; so do those of torch that end in an underscore.
CHANGING = {
    "add", "append", "backward", "clear", "discard", "eval", "extend", "insert", "load_state_dict",
    "manual_seed", "pop", "popitem", "remove", "reverse", "seed", "set_state", "setdefault", "sort",
    "step", "train", "update", "zero_grad",
}  # fmt: skip
OWN = ("self", "cls")  # objects of this code itself


@cache
def neutral_units() -> frozenset[str]:
    """Return the entries of the list that really are neutral."""
    return frozenset(entry for entry in NEUTRAL if not any(offences(entry)))


def offences(entry: str) -> Iterator[str]:
    """Yield what an entry, or code that it reaches, does and neutral code must not do."""
    for address in neutral_reach(entry):
        names = sorted(reading_of(address).outside)
        yield from (f"{address} uses {name}" for name in names if not _is_harmless(name))
        if is_unresolved(address):
            yield f"{address} looks up names that reading cannot resolve"
        if address not in WRITING and (writes := reading_of(address).attributes & WRITERS):
            yield f"{address} may {sorted(writes)[0]} a file"
        if address not in RESTORING:
            yield from (f"{address} changes {name}" for name in _changed(address))


def neutral_reach(entry: str) -> list[str]:
    """Return all units that an entry reaches; other entries are read by themselves.

    Of its classes that is every method: whoever is handed an object may call any.
    """
    reach = Reach(neutral=frozenset(NEUTRAL) - {entry}, unresolved=True)
    path, _, name = entry.partition(":")
    for address in (entry, *read_module(path).methods(name).values()):
        reach.add(address)
    return list(reach.complete().units)


def _is_harmless(name: str) -> bool:
    if "." not in name and name not in HARMLESS:
        return name not in BUILTINS_THAT_ACT
    parts = name.split(".")
    return any(".".join(parts[:count]) in HARMLESS for count in range(1, len(parts) + 1))


def _changed(address: str) -> Iterator[str]:
    """Yield the parameters that a function assigns into or changes by a method."""
    path, _, name = address.partition(":")
    for function in read_module(path).functions(name):
        a = function.args
        parameters = {p.arg for p in [*a.posonlyargs, *a.args, *a.kwonlyargs]} - set(OWN)
        for node in ast.walk(function):
            root = _root(_changed_object(node))
            if root in parameters:
                yield root


def _changed_object(node: ast.AST) -> ast.AST | None:
    """Return the object that a node changes, if it does."""
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        in_place = name.endswith("_") and not name.startswith("_")
        return node.func.value if name in CHANGING or in_place else None
    return None


def _root(node: ast.AST | None) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
