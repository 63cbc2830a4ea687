"""Random mutations of the sources: operators, constants and returned values."""

import ast
import random
from dataclasses import dataclass
from pathlib import Path

OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Mod: ast.Mult,
    ast.MatMult: ast.Mult,
}
COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True)
class Mutation:
    """One change of one file."""

    path: str  # from the root
    line: int
    what: str
    text: str  # the whole file


def mutate(root: Path, paths: list[str], count: int, seed: int) -> list[Mutation]:
    """Return mutations of randomly chosen places in randomly chosen files."""
    chooser = random.Random(seed)
    found: list[Mutation] = []
    while len(found) < count:
        path = chooser.choice(paths)
        tree = ast.parse((root / path).read_text())
        places = [node for node in ast.walk(tree) if can_change(node)]
        if not places:
            continue
        node = chooser.choice(places)
        before = ast.unparse(node)
        change(node, chooser)
        what = f"{before} -> {ast.unparse(node)}"
        found.append(Mutation(path, node.lineno, what, ast.unparse(tree) + "\n"))
    return found


def can_change(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return type(node.op) in OPERATORS
    if isinstance(node, ast.Compare):
        return type(node.ops[0]) in COMPARISONS
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool | int | float)
    return isinstance(node, ast.Return) and node.value is not None


def change(node: ast.AST, chooser: random.Random) -> None:
    if isinstance(node, ast.BinOp):
        node.op = OPERATORS[type(node.op)]()
    elif isinstance(node, ast.Compare):
        node.ops[0] = COMPARISONS[type(node.ops[0])]()
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        node.value = not node.value
    elif isinstance(node, ast.Constant):
        node.value += chooser.choice([-1, 1]) * (1 if isinstance(node.value, int) else 0.5)
    elif isinstance(node, ast.Return):
        node.value = ast.Constant(None)
