"""Fingerprints of code: what a source file does, and which files a script can reach.

They use the standard library alone, so that any Python can compute the same ones years later.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from latents.runtime.errors import Problem

ROOT = Path(__file__).resolve().parents[2]
# These move bytes, keep books and compute nothing that ends in a result: no part of fingerprints.
NEUTRAL = frozenset(
    f"latents/runtime/{name}.py"
    for name in (
        "atomic_files",
        "command_line",
        "environment",
        "errors",
        "failures",
        "fingerprint",
        "gpu_slots",
        "job_list",
        "lease",
        "progress",
        "record",
        "step",
    )
)
PLACES = ("", "scripts")  # where a script finds modules of this repository
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def fingerprint(*entries: str) -> dict[str, str]:
    """Return the hash of every file in the import closure of the entries (paths from the root).

    Only files of this repository count; packages from outside belong to the environment.
    """
    reached: set[str] = set()
    waiting = list(entries)
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting.extend(_imports(path))
    return {path: file_hash(path) for path in sorted(reached - NEUTRAL)}


@cache
def file_hash(path: str) -> str:
    """Return the hash of a source file of this repository."""
    return source_hash((ROOT / path).read_text())


def refuse_changed(code: dict[str, str]) -> None:
    """Refuse a job whose code somebody edited after it was planned."""
    for path, planned in code.items():
        if file_hash(path) != planned:
            raise Problem(
                f"{path} was changed after this job was planned; run the same command again"
            )


def refuse_uncovered(code: dict[str, str]) -> None:
    """Refuse modules that were used but not fingerprinted: nothing would go stale with them."""
    files = [Path(f) for m in list(sys.modules.values()) if (f := getattr(m, "__file__", None))]
    ours = [f for f in files if any(f.is_relative_to(ROOT / d) for d in ("latents", "scripts"))]
    used = {str(f.relative_to(ROOT)) for f in ours}
    empty = {f for f in used if f.endswith("__init__.py")}
    uncovered = used - empty - NEUTRAL - set(code)
    if uncovered:
        raise Problem(f"used code that its fingerprint does not cover: {sorted(uncovered)}")


@cache
def _imports(path: str) -> tuple[str, ...]:
    """Return the files of the library that a source file imports, anywhere in the file."""
    try:
        tree = ast.parse((ROOT / path).read_text())
    except SyntaxError as error:
        raise Problem(f"{path}, line {error.lineno}: {error.msg}") from error
    names = {name for node in ast.walk(tree) for name in _module_names(node, Path(path).parent)}
    files = (
        Path(folder, *name.split(".")).with_suffix(".py") for name in names for folder in PLACES
    )
    return tuple(sorted(str(file) for file in files if (ROOT / file).is_file()))


def _module_names(node: ast.AST, package: Path) -> Iterator[str]:
    """Yield every module that an import statement may name."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        above = package.parts[: len(package.parts) + 1 - node.level] if node.level else ()
        base = ".".join((*above, *filter(None, [node.module])))
        yield base
        yield from (f"{base}.{alias.name}" for alias in node.names)


def source_hash(source: str) -> str:
    """Return a hash of what a source file does: no comments, docstrings, layout or positions.

    Fields that are empty or None are left out, so that the fields which later versions of Python
    add to old syntax (they are empty there) change nothing.
    """
    return hashlib.sha256("".join(_tokens(ast.parse(source))).encode()).hexdigest()[:16]


def _tokens(node: Any) -> Iterator[str]:
    if isinstance(node, ast.AST):
        yield f"({type(node).__name__}"
        for name in sorted(node._fields):
            value = _field(node, name)
            if name not in ("ctx", "kind", "type_comment") and value not in (None, []):
                yield f" {name}="
                yield from _tokens(value)
        yield ")"
    elif isinstance(node, list):
        yield "["
        for item in node:
            yield from _tokens(item)
            yield ","
        yield "]"
    else:
        yield repr(node)


def _field(node: ast.AST, name: str) -> Any:
    if name == "body":
        return _without_docstring(node)
    if isinstance(node, ast.JoinedStr):  # Python 3.12 puts empty texts into formatted strings
        return [v for v in node.values if not isinstance(v, ast.Constant) or v.value != ""]
    return getattr(node, name, None)


def _without_docstring(node: ast.AST) -> Any:
    body: Any = getattr(node, "body", None)
    if isinstance(node, DOCUMENTED) and body and isinstance(body[0], ast.Expr):
        value = body[0].value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return body[1:]
    return body
