"""Names, arguments and constants of modules, read from their sources: no import, no torch."""

import ast
from typing import Any

from latents.runtime.errors import Problem
from latents.runtime.plugins import class_name
from latents.runtime.sources import ROOT


def registry(folder: str) -> list[str]:
    """Return the names of the modules in `latents/<folder>`: the folder is the registry."""
    files = (ROOT / "latents" / folder).glob("*.py")
    return sorted(file.stem for file in files if file.stem != "__init__")


def registry_by_cost(folder: str) -> dict[str, list[str]]:
    """Return the names of a folder's modules by their constant `COST`."""
    names = registry(folder)
    costs = {name: constant(folder, name, "COST") for name in names}
    return {cost: [n for n in names if costs[n] == cost] for cost in sorted(set(costs.values()))}


def arguments(module: str, name: str) -> dict[str, list[Any]]:
    """Return the keyword arguments of a module's class, with the choices of each `Literal`."""
    path = ROOT / "latents" / module / f"{name}.py"
    tree = ast.parse(path.read_text(), filename=str(path))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == class_name(name):
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                    return {a.arg: _choices(a.annotation) for a in item.args.kwonlyargs}
    return {}


def _choices(annotation: ast.expr | None) -> list[Any]:
    """Return the choices of an annotation: `Literal["i", "ii"]` -> ["i", "ii"]; none for others."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Literal":
        inside = ast.literal_eval(annotation.slice)
        return list(inside) if isinstance(inside, tuple) else [inside]
    return []


def keywords(module: str, name: str, function: str) -> dict[str, bool]:
    """Return the keyword arguments of a module's function, and whether each is required."""
    path = ROOT / "latents" / module / f"{name}.py"
    for node in ast.parse(path.read_text(), filename=str(path)).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            given = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            return {argument.arg: default is None for argument, default in given}
    raise Problem(f"latents/{module}/{name}.py has no {function}()")


def constant(module: str, name: str, key: str) -> Any:
    """Return a constant of a module."""
    path = ROOT / "latents" / module / f"{name}.py"
    for node in ast.parse(path.read_text(), filename=str(path)).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == key:
            return ast.literal_eval(node.value)
    raise Problem(f"latents/{module}/{name}.py has no {key}")
