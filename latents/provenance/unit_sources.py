"""The present code of units, for people to read."""

import ast

from latents.runtime.code_scopes import FUNCTIONS
from latents.runtime.code_units import read_module
from latents.runtime.sources import ROOT


def present_unit(path: str, name: str) -> dict[str, str] | None:
    """Return the hash and the code of a unit; None if it is not there any more.

    Of a class, that is all but its methods, which are units themselves.
    """
    if not (ROOT / path).is_file() or name not in read_module(path).units:
        return None
    lines = (ROOT / path).read_text().splitlines()
    module = read_module(path)
    found = module.functions(name) or module.statements[name]
    text = "\n".join(line for node in found for line in _lines(node, lines))
    return {"hash": module.reading(name).content, "code": text}


def _lines(node: ast.stmt, lines: list[str]) -> list[str]:
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(d.lineno for d in decorators)]) - 1
    left_out: set[int] = set()
    for inner in node.body if isinstance(node, ast.ClassDef) else []:
        if isinstance(inner, FUNCTIONS):
            start = min([inner.lineno, *(d.lineno for d in inner.decorator_list)])
            left_out |= set(range(start - 1, inner.end_lineno or start))
    last = node.end_lineno or node.lineno
    return [lines[number] for number in range(first, last) if number not in left_out]
