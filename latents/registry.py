"""What a folder's modules are called and take, read from their sources: no import, no torch."""

import ast
from typing import Any

from latents.fingerprint import ROOT
from latents.naming import class_name
from latents.problem import Problem


def registry(folder: str) -> list[str]:
    """The folder is the registry: names of the modules in `latents/<folder>`."""
    files = (ROOT / "latents" / folder).glob("*.py")
    return sorted(file.stem for file in files if file.stem != "__init__")


def arguments(module: str, name: str) -> dict[str, list[Any]]:
    """Keyword arguments of a module's class with the choices of those that are a `Literal`."""
    path = ROOT / "latents" / module / f"{name}.py"
    tree = ast.parse(path.read_text(), filename=str(path))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == class_name(name):
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                    return {a.arg: _choices(a.annotation) for a in item.args.kwonlyargs}
    return {}


def _choices(annotation: ast.expr | None) -> list[Any]:
    """`Literal["i", "ii"]` -> ["i", "ii"]; nothing for any other annotation."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Literal":
        inside = ast.literal_eval(annotation.slice)
        return list(inside) if isinstance(inside, tuple) else [inside]
    return []


def keywords(module: str, name: str, function: str) -> dict[str, bool]:
    """Keyword arguments of a module's function, and whether each of them has to be given."""
    path = ROOT / "latents" / module / f"{name}.py"
    for node in ast.parse(path.read_text(), filename=str(path)).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            given = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            return {argument.arg: default is None for argument, default in given}
    raise Problem(f"latents/{module}/{name}.py has no {function}()")


def constant(module: str, name: str, key: str) -> Any:
    """A constant of a module, read from the source like its arguments."""
    path = ROOT / "latents" / module / f"{name}.py"
    for node in ast.parse(path.read_text(), filename=str(path)).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == key:
            return ast.literal_eval(node.value)
    raise Problem(f"latents/{module}/{name}.py has no {key}")
