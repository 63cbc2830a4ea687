"""The rooms of the library and who may import whom, read from the import statements."""

import ast
from functools import cache

from tests.conftest import ROOT

MAY_IMPORT = {
    "runtime": "",
    "data": "runtime",
    "models": "runtime data",
    "encoding": "runtime data models evaluation",
    "evaluation": "runtime data",
    "claims": "runtime evaluation",
    "figures": "runtime evaluation data",
    "workflow": "runtime evaluation models",
    "engine": "runtime",
    "provenance": "runtime workflow figures",
    "commands": "runtime data models encoding evaluation claims figures workflow engine provenance",
}
WITHOUT_TORCH = ("runtime", "evaluation", "claims", "figures", "workflow", "engine", "provenance")
FOR_PEOPLE = ("workflow", "engine", "provenance", "commands")
# Snakemake finds a logger by the name of its package, and takes it from there.
SNAKEMAKES_WAY = "latents/engine/logger_plugins/snakemake_logger_plugin_plan/__init__.py"
FILES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "latents").rglob("*.py"))
SCRIPTS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "scripts").glob("*.py"))


def room(path: str) -> str:
    """`latents/<room>/…`; empty for what belongs to none."""
    first, second, *deeper = path.split("/")
    return second if first == "latents" and deeper else ""


@cache
def imports(path: str) -> frozenset[str]:
    """Modules that a file imports anywhere, also inside functions, and the names it takes."""
    nodes = list(ast.walk(ast.parse((ROOT / path).read_text())))
    taken = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    assert not any(node.level for node in taken), f"{path} has a relative import"
    return frozenset(
        {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        | {str(node.module) for node in taken}
        | {f"{node.module}.{alias.name}" for node in taken for alias in node.names}
    )


@cache
def closure(path: str) -> frozenset[str]:
    """The file and all files of the library that its imports reach."""
    reached, waiting = set(), [path]
    while waiting:
        reached.add(here := waiting.pop())
        files = {f"{name.replace('.', '/')}.py" for name in imports(here)}
        waiting += (files & {*FILES}) - reached
    return frozenset(reached)


def uses(path: str, package: str) -> bool:
    return any(name.split(".")[0] == package for name in imports(path))


def may_know(here: str, name: str) -> bool:
    """Only rooms are asked about, not packages from outside."""
    library, _, inside = name.partition(".")
    return library != "latents" or inside.split(".")[0] in {here, *MAY_IMPORT[here].split()}


def test_the_library_holds_rooms_alone_and_every_init_is_empty():
    assert {path for path in FILES if not room(path)} <= {"latents/__init__.py", "latents/api.py"}
    assert {room(path) for path in FILES} - {""} <= MAY_IMPORT.keys()
    filled = [path for path in FILES if "__init__" in path and (ROOT / path).read_text()]
    assert filled == [SNAKEMAKES_WAY]


def test_every_import_lies_in_the_room_or_in_those_it_may_know():
    strangers = [
        f"{path}: {name}"
        for path in FILES
        for name in sorted(imports(path))
        if room(path) and not may_know(room(path), name)
    ]
    assert strangers == []


def test_the_engine_alone_touches_snakemake():
    touching = {room(path) or path for path in [*FILES, *SCRIPTS] if uses(path, "snakemake")}
    assert touching == {"engine"}


def test_torch_ends_at_the_representation():
    """Except where a plan counts the arithmetic of a network that is not trained yet."""
    reaching = [
        path
        for path in FILES
        if room(path) in WITHOUT_TORCH and any(uses(file, "torch") for file in closure(path))
    ]
    assert reaching == ["latents/workflow/estimate.py", "latents/workflow/plan_table.py"]


def test_no_job_reaches_what_is_for_people():
    """Except the one whose product is provenance."""
    reaching = [path for path in SCRIPTS if any(room(f) in FOR_PEOPLE for f in closure(path))]
    assert reaching == ["scripts/export_crate.py"]


def test_modules_are_loaded_by_name_in_one_place():
    loading = [path for path in FILES if "import_module" in (ROOT / path).read_text()]
    assert loading == ["latents/runtime/plugins.py"]
