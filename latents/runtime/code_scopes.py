"""Names that functions and comprehensions bind, which hide those of their module."""

import ast

from latents.runtime.sources import imported_names

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def parameter_names(node: FUNCTIONS | ast.Lambda) -> set[str]:
    """Return the names of a function's parameters."""
    a = node.args
    parameters = [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, [a.vararg, a.kwarg])]
    return {parameter.arg for parameter in parameters}


def local_names(node: FUNCTIONS | ast.Lambda, path: str) -> dict[str, str | None]:
    """Return the names that a function binds; those that it imports with their dotted names."""
    names: dict[str, str | None] = dict.fromkeys(parameter_names(node))
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    waiting: list[ast.AST] = list(body)
    shared: set[str] = set()
    while waiting:
        here = waiting.pop()
        names |= _bound_by(here, path)
        if isinstance(here, ast.Global):
            shared |= set(here.names)
        if isinstance(here, COMPREHENSIONS):  # has a scope of its own, but `:=` binds outside it
            waiting += [n for n in ast.walk(here) if isinstance(n, ast.NamedExpr)]
        elif not isinstance(here, FUNCTIONS | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(here)
    return {name: source for name, source in names.items() if name not in shared}


def _bound_by(node: ast.AST, path: str) -> dict[str, str | None]:
    """Return the names that a node itself binds."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return {node.id: None}
    if isinstance(node, ast.NamedExpr):
        return {node.target.id: None}
    if isinstance(node, FUNCTIONS | ast.ClassDef):
        return {node.name: None}
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        return {node.name: None} if node.name else {}
    if isinstance(node, ast.MatchMapping):
        return {node.rest: None} if node.rest else {}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return dict(imported_names(node, path))
    return {}


def target_names(nodes: list[ast.expr]) -> list[str]:
    """Return the names that the targets of a comprehension bind."""
    return [n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)]
