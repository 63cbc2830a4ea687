"""Source files of this repository: where they lie, their syntax trees, and what they import.

Only the standard library is used, here and in the other modules that read code, so that any Python
computes the same fingerprints years later.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from latents.runtime.errors import Problem

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("", "scripts")  # where a script finds modules of this repository


@cache
def syntax(path: str) -> ast.Module:
    """Return the syntax tree of a source file (a path from the root)."""
    try:
        return ast.parse((ROOT / path).read_text())
    except SyntaxError as error:
        raise Problem(f"{path}, line {error.lineno}: {error.msg}") from error


@cache
def module_file(name: str) -> str | None:
    """Return the file of a dotted module name; None if it is not of this repository."""
    parts = name.split(".")
    for place in PLACES:
        for file in (Path(place, *parts).with_suffix(".py"), Path(place, *parts, "__init__.py")):
            if (ROOT / file).is_file():
                return str(file)
    return None


def module_name(path: str) -> str:
    """Return the dotted name of a module's file; of a package, that of its folder."""
    parts = Path(path).with_suffix("").parts
    inside = parts[1:] if parts[0] in PLACES else parts
    return ".".join(inside[:-1] if inside[-1] == "__init__" else inside)


def imported_names(node: ast.Import | ast.ImportFrom, path: str) -> Iterator[tuple[str, str]]:
    """Yield the names that an import statement binds, each with the dotted name it stands for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (first, first)
    else:
        base = import_base(node, path)
        for alias in node.names:
            yield alias.asname or alias.name, f"{base}.{alias.name}"


def import_base(node: ast.ImportFrom, path: str) -> str:
    """Return the dotted name of the module that `from … import` names."""
    if not node.level:
        return node.module or ""
    package = Path(path).parent.parts
    above = package[: len(package) + 1 - node.level]
    return ".".join((*above, *filter(None, [node.module])))


@cache
def import_closure(path: str) -> tuple[str, ...]:
    """Return all files that importing a module can execute: it, its packages, and its imports'."""
    reached: dict[str, None] = {}
    waiting = [path]
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached[here] = None
            waiting += _imported_files(here)
    return tuple(sorted(reached))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield all statements, also those inside others."""
    for statement in body:
        yield statement
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            for inner in vars(statement).get(part, []):
                is_statement = isinstance(inner, ast.stmt)
                yield from _statements([inner] if is_statement else inner.body)


@cache
def _imported_files(path: str) -> tuple[str, ...]:
    """Return the files that the import statements of a file name, anywhere in it."""
    names: set[str] = set()
    for node in _statements(syntax(path).body):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = import_base(node, path)
            names.update((base, *(f"{base}.{alias.name}" for alias in node.names)))
    names.add(module_name(path))
    parents = {name.rsplit(".", count)[0] for name in names for count in range(name.count(".") + 1)}
    return tuple(sorted(file for name in parents if (file := module_file(name))))
