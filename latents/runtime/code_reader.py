"""What a piece of code does and what it refers to, read from its syntax tree.

Comments, docstrings, layout, positions, annotations of functions, and the words of error messages
and of printed lines are no part of what code does. Names of imports are replaced by what they stand
for, so that neither an alias nor the address of a function counts.
"""

import ast
import hashlib
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

from latents.runtime.code_scopes import (
    COMPREHENSIONS,
    FUNCTIONS,
    local_names,
    parameter_names,
    target_names,
)

DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
LOOKUPS = ("getattr", "hasattr", "setattr", "delattr")
DYNAMIC = ("exec", "eval", "compile", "globals", "locals", "__import__")
SILENT = ("ctx", "kind", "type_comment", "type_ignores")  # fields that change nothing
PROBLEM = "latents/runtime/errors.py:Problem"


@dataclass
class Reading:
    """What one piece of code does, as a hash, and what it refers to."""

    content: str = ""
    units: dict[str, None] = field(default_factory=dict)  # addresses, in order of appearance
    attributes: set[str] = field(default_factory=set)  # looked up on objects
    inherited: set[str] = field(default_factory=set)  # looked up on super()
    outside: set[str] = field(default_factory=set)  # names of packages from outside, and builtins
    dynamic: list[str] = field(default_factory=list)  # look-ups that no reading can resolve


class Names(Protocol):
    """What names of a module stand for.

    That is the address of a unit, the path of a module, or a dotted name from outside, with how
    many parts of the name it covers.
    """

    path: str

    def find(self, parts: list[str]) -> tuple[str, int] | None:
        """Look a name of the module up; None if the module does not have it."""

    def locate(self, parts: list[str]) -> tuple[str, int]:
        """Look an absolute name up, as an import statement has it."""


class Reader:
    """Reads code of one module."""

    def __init__(self, names: Names, *, annotated: bool = False) -> None:
        self.names = names
        self.annotated = annotated  # whether it counts which arguments are lists
        self.scopes: list[dict[str, str | None]] = []  # local names; imported ones with their name
        self.parameters: list[set[str]] = []  # those of the scopes' names that callers may use
        self.numbers: dict[tuple[int, str], int] = {}  # of local names, by the depth of their scope
        self.counter = count()
        self.tokens: list[str] = []
        self.found = Reading()

    def read(self, *nodes: ast.AST) -> Reading:
        """Return what the nodes do together."""
        for node in nodes:
            self._put(node)
        self.found.content = hashlib.sha256("".join(self.tokens).encode()).hexdigest()[:16]
        return self.found

    def _put(self, node: Any) -> None:
        """Add what a node does to the tokens."""
        if isinstance(node, list):
            self.tokens.append("[")
            for item in node:
                if not (isinstance(item, ast.AST) and self._is_silent(item)):
                    self._put(item)
                    self.tokens.append(",")
            self.tokens.append("]")
        elif not isinstance(node, ast.AST):
            self.tokens.append(repr(node))
        elif not self._is_silent(node):
            self._put_node(node)

    def _put_node(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            self._put_name(node)
        elif isinstance(node, ast.Attribute):
            self._put_attribute(node)
        elif isinstance(node, ast.Call):
            self._put_call(node)
        elif isinstance(node, FUNCTIONS | ast.Lambda):
            self._put_function(node)
        elif isinstance(node, COMPREHENSIONS):
            self._put_comprehension(node)
        elif isinstance(node, ast.Raise) and self._raises_problem(node):
            self.tokens.append("(Raise Problem)")
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self.tokens.append(f"(as {self._local(node.name)})")
            self._put_fields(node, "name")
        else:
            self._put_fields(node)

    def _put_fields(self, node: ast.AST, *without: str) -> None:
        """Put a node and its fields; empty ones are left out, as later Pythons add such."""
        self.tokens.append(f"({type(node).__name__}")
        for name in sorted(node._fields):
            value = _field(node, name)
            if name not in (*SILENT, *without) and value not in (None, []):
                self.tokens.append(f" {name}=")
                self._put(value)
        self.tokens.append(")")

    def _is_silent(self, node: ast.AST) -> bool:
        """Return whether a statement changes nothing: import, assertion, or printed line."""
        if isinstance(node, ast.Import | ast.ImportFrom):
            return True
        if isinstance(node, ast.Assert):
            return not _acts(node.test)
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
            return False
        call = node.value
        if not (isinstance(call.func, ast.Name) and call.func.id == "print"):
            return False
        shown: list[ast.expr] = [*call.args, *(keyword.value for keyword in call.keywords)]
        return not any(_acts(item) for item in shown)

    def _raises_problem(self, node: ast.Raise) -> bool:
        """A job that raises a Problem has no result, whatever the words."""
        if not (isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name)):
            return False
        found = self._look_up([node.exc.func.id])
        return found is not None and found[0] == PROBLEM

    def _put_name(self, node: ast.Name) -> None:
        found = self._look_up([node.id])
        self.tokens.append(f"(Name {self._refer(found[0]) if found else self._local(node.id)})")
        if found is None and not self._is_local(node.id):
            self.found.outside.add(node.id)

    def _local(self, name: str) -> str:
        """Return a local name by its number, so that only parameters count by their names."""
        for depth in range(len(self.scopes) - 1, -1, -1):
            if name in self.scopes[depth]:
                if name in self.parameters[depth]:
                    return name
                if (depth, name) not in self.numbers:
                    self.numbers[depth, name] = next(self.counter)
                return f"local {self.numbers[depth, name]}"
        return name

    def _put_attribute(self, node: ast.Attribute) -> None:
        parts, root = [node.attr], node.value
        while isinstance(root, ast.Attribute):
            parts.insert(0, root.attr)
            root = root.value
        found = self._look_up([root.id, *parts]) if isinstance(root, ast.Name) else None
        if found is None or (found[1] == 1 and ":" in found[0]):
            self._put_object_attribute(node)
            return
        rest = parts[found[1] - 1 :]
        self.found.attributes.update(rest)
        self.tokens.append(f"(Name {self._refer(found[0])})" + "".join(f".{p}" for p in rest))

    def _put_object_attribute(self, node: ast.Attribute) -> None:
        value = node.value
        on_super = isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
        if on_super and value.func.id == "super":  # type: ignore[attr-defined]
            self.found.inherited.add(node.attr)
        self.found.attributes.add(node.attr)
        self._put_fields(node)

    def _put_call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name in LOOKUPS and not self._is_local(name):
            wanted = node.args[1] if len(node.args) > 1 else None
            if isinstance(wanted, ast.Constant) and isinstance(wanted.value, str):
                self.found.attributes.add(wanted.value)
            else:
                self.found.dynamic.append(ast.unparse(node))
        elif name in DYNAMIC and not self._is_local(name):
            self.found.dynamic.append(ast.unparse(node))
        self._put_fields(node)

    def _put_function(self, node: FUNCTIONS | ast.Lambda) -> None:
        """Decorators and defaults belong to the scope around, all else to the function's own."""
        arguments = node.args
        outer = [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
        outer += [] if isinstance(node, ast.Lambda) else node.decorator_list
        name = "" if isinstance(node, ast.Lambda) else self._local(node.name)
        self.tokens.append(f"({type(node).__name__} {name}")
        self._put(outer)
        self.enter(local_names(node, self.names.path), parameter_names(node))
        self._put_arguments(arguments)
        self._put(_field(node, "body"))
        self._leave()
        self.tokens.append(")")

    def enter(self, names: dict[str, str | None], parameters: set[str]) -> None:
        """Enter a scope; parameters are those of its names that others may use."""
        self.scopes.append(names)
        self.parameters.append(parameters)

    def _leave(self) -> None:
        """Leave a scope; another one at its depth has numbers of its own."""
        self.scopes.pop()
        self.parameters.pop()
        depth = len(self.scopes)
        self.numbers = {key: n for key, n in self.numbers.items() if key[0] < depth}

    def _put_arguments(self, arguments: ast.arguments) -> None:
        """Put the parameters by kind; a missing default is told from one that is there."""
        for kind in ("posonlyargs", "args", "vararg", "kwonlyargs", "kwarg"):
            value = _field(arguments, kind)
            for one in value if isinstance(value, list) else filter(None, [value]):
                self.tokens.append(f"({kind} {one.arg}")
                if self.annotated and one.annotation is not None:
                    self.tokens.append(str("list" in ast.unparse(one.annotation)))
                self.tokens.append(")")
        missing = [default is None for default in arguments.kw_defaults]
        self.tokens.append(f"{len(arguments.defaults)}{missing}")

    def _put_comprehension(self, node: COMPREHENSIONS) -> None:
        first = node.generators[0].iter
        self._put(first)  # evaluated in the scope around
        self.enter(dict.fromkeys(target_names([g.target for g in node.generators])), set())
        self._put_fields(node)
        self._leave()

    def _is_local(self, name: str) -> bool:
        return any(name in scope for scope in self.scopes)

    def _look_up(self, parts: list[str]) -> tuple[str, int] | None:
        """Return what a dotted name stands for; None for local names and builtins."""
        for scope in reversed(self.scopes):
            if parts[0] in scope:
                imported = scope[parts[0]]
                if imported is None:
                    return None
                whole = imported.split(".")
                target, covered = self.names.locate([*whole, *parts[1:]])
                return target, covered - len(whole) + 1
        return self.names.find(parts)

    def _refer(self, target: str) -> str:
        """Note a reference; return the name by which it counts."""
        if ":" in target:
            self.found.units[target] = None
            return target.partition(":")[2]
        if target.endswith(".py"):  # a module as a value: all of it
            self.found.units[target] = None
            return "module"
        self.found.outside.add(target)
        if target.startswith("importlib.") and not target.startswith("importlib.metadata"):
            self.found.dynamic.append(target)
        return target


def _acts(node: ast.AST) -> bool:
    """Return whether an expression may do more than be evaluated."""
    acting = (ast.Call, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
    return any(isinstance(part, acting) for part in ast.walk(node))


def _field(node: ast.AST, name: str) -> Any:
    if name == "body" and isinstance(node, DOCUMENTED):
        return without_docstring(node.body)
    if isinstance(node, ast.AnnAssign) and name == "annotation":
        return None
    if isinstance(node, ast.JoinedStr):  # Python 3.12 puts empty texts into formatted strings
        return [v for v in node.values if not isinstance(v, ast.Constant) or v.value != ""]
    return vars(node).get(name)


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a module, class or function without its docstring."""
    first = body[0].value if body and isinstance(body[0], ast.Expr) else None
    documented = isinstance(first, ast.Constant) and isinstance(first.value, str)
    return body[1:] if documented else body
