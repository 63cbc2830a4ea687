"""Units of code: the functions, methods, classes and constants of this repository's modules.

A unit is known by its address, `latents/data/factors.py:FactorGrid.images`. A class is a unit
without its methods. A statement of a module that acts when the module is imported (a call, or a
constant made by a call that may do more than compute) is a unit too.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property

from latents.runtime.code_reader import Reader, Reading, without_docstring
from latents.runtime.code_scopes import FUNCTIONS
from latents.runtime.sources import imported_names, module_file, syntax

# Calls that only compute: in constants of modules, which are then no acts.
COMPUTING = {
    "abs", "bytes", "dict", "enumerate", "float", "frozenset", "int", "len", "list", "max", "min",
    "range", "round", "set", "sorted", "str", "sum", "tuple", "zip",
    "dataclasses.field", "pathlib.Path", "re.compile", "typing.TypeVar",
    "numpy.arange", "numpy.array", "numpy.diag", "numpy.dtype", "numpy.eye", "numpy.finfo",
    "numpy.linspace", "numpy.logspace", "numpy.ones", "numpy.uint64", "numpy.zeros",
}  # fmt: skip
DECORATING = {
    "abc.abstractmethod", "classmethod", "contextlib.contextmanager", "dataclasses.dataclass",
    "functools.cache", "functools.cached_property", "numba.njit", "property", "staticmethod",
    "torch.inference_mode", "torch.no_grad",
}  # fmt: skip
METHODS = {".resolve"}  # of objects from outside
DATACLASS = "dataclasses.dataclass"
MAKING = {"__init__", "__new__", "__post_init__"}


@dataclass
class Module:
    """A module: its statements by the names they define, and what its names stand for."""

    path: str
    statements: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)  # absolute names
    stars: list[str] = field(default_factory=list)  # files of which all names are imported
    readings: dict[str, Reading] = field(default_factory=dict)  # of units that were asked for

    def find(self, parts: list[str]) -> tuple[str, int] | None:
        if parts[0] in self.statements:
            return f"{self.path}:{parts[0]}", 1
        if parts[0] not in self.imports:
            return next(filter(None, (read_module(file).find(parts) for file in self.stars)), None)
        whole = self.imports[parts[0]].split(".")
        target, covered = self.locate([*whole, *parts[1:]])
        return target, covered - len(whole) + 1

    def locate(self, parts: list[str]) -> tuple[str, int]:
        return locate(parts)

    @cached_property
    def units(self) -> dict[str, list[ast.stmt]]:
        """The statements of every unit by its name; methods as `Class.method`."""
        found: dict[str, list[ast.stmt]] = {}
        for name, statements in self.statements.items():
            found[name] = statements
            for statement in statements[0].body if self.is_class(name) else []:  # type: ignore
                if isinstance(statement, FUNCTIONS):  # a property's setter has its getter's name
                    found.setdefault(f"{name}.{statement.name}", []).append(statement)
        return found

    def reading(self, unit: str) -> Reading:
        """Return what a unit does and refers to."""
        if unit not in self.readings:
            self.readings[unit] = _read(self, unit)
        return self.readings[unit]

    @cached_property
    def acts(self) -> list[str]:
        """Names of units that act when the module is imported."""
        return [
            name for name, group in self.statements.items() if any(_acts(self, s) for s in group)
        ]

    def bases(self, name: str) -> list[str]:
        """Return what the bases of a class stand for."""
        nodes = [b for s in self.statements[name] if isinstance(s, ast.ClassDef) for b in s.bases]
        read = Reader(self).read(*nodes)
        return [*read.units, *sorted(read.outside)]

    def methods(self, name: str) -> dict[str, str]:
        """Return the names of a class's methods, with the addresses of their units."""
        start = f"{name}."
        found = (unit for unit in self.units if unit.startswith(start))
        return {unit[len(start) :]: f"{self.path}:{unit}" for unit in found}

    def functions(self, unit: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Return the definitions of a function or method; none for other units."""
        return [node for node in self.units[unit] if isinstance(node, FUNCTIONS)]

    def is_class(self, name: str) -> bool:
        found = self.statements.get(name, [])
        return len(found) == 1 and isinstance(found[0], ast.ClassDef)


def locate(parts: list[str]) -> tuple[str, int]:
    """Return what an absolute name stands for, and how many of its parts that covers."""
    for count in range(len(parts), 0, -1):
        file = module_file(".".join(parts[:count]))
        if file is None:
            continue
        if count == len(parts):
            return file, count
        found = read_module(file).find([parts[count]])
        return (found[0], count + 1) if found else (file, count)
    return ".".join(parts), len(parts)


@cache
def read_module(path: str) -> Module:
    """Return the module of a source file."""
    module = Module(path)
    for statement in without_docstring(syntax(path).body):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            module.imports |= dict(imported_names(statement, path))
            if star := module.imports.pop("*", None):
                module.stars += filter(None, [module_file(star.removesuffix(".*"))])
        elif not _is_guard(statement, path):
            for name in _names_of(statement):
                module.statements.setdefault(name, []).append(statement)
    return module


def _is_guard(statement: ast.stmt, path: str) -> bool:
    """Return whether a statement is not run on import: for type checkers, or for a main program."""
    if not isinstance(statement, ast.If):
        return False
    test = ast.unparse(statement.test)
    is_main = test.startswith("__name__ ==") and not path.startswith("scripts/")
    return test == "TYPE_CHECKING" or is_main


def _names_of(statement: ast.stmt) -> list[str]:
    """Return the names that a statement defines; one that defines none is named by its words."""
    if isinstance(statement, FUNCTIONS | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        found = [n.id for t in targets for n in ast.walk(t) if _is_stored(n)]  # type: ignore
    else:
        found = [n.id for n in ast.walk(statement) if _is_stored(n)]  # type: ignore
    return found or [ast.unparse(statement).partition("\n")[0]]


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _read(module: Module, unit: str) -> Reading:
    nodes = module.units[unit]
    if module.is_class(unit):
        return _read_class(module, nodes[0])  # type: ignore[arg-type]
    # A script's own annotations say which arguments are lists (`command_line.py`).
    return Reader(module, annotated=module.path.startswith("scripts/")).read(*nodes)


def _read_class(module: Module, node: ast.ClassDef) -> Reading:
    """Read a class without its methods; annotations of its fields count, but reach nothing."""
    rest = [s for s in without_docstring(node.body) if not isinstance(s, FUNCTIONS)]
    annotations = [s.annotation for s in rest if isinstance(s, ast.AnnAssign)]
    bases = Reader(module).read(*node.bases, *node.keywords)
    parts = (node.name, Reader(module).read(*annotations).content, bases.content)
    reader = Reader(module)
    names = [n for statement in rest for n in _names_of(statement)]
    reader.enter(dict.fromkeys(names), set(names))
    found = reader.read(ast.Constant(" ".join(parts)), *node.decorator_list, *rest)
    found.outside |= bases.outside
    found.dynamic += bases.dynamic
    return found


def _acts(module: Module, statement: ast.stmt) -> bool:
    """Return whether importing the module does more here than to compute a value."""
    if isinstance(statement, FUNCTIONS | ast.ClassDef):
        known = all(_is_decorating(module, node) for node in statement.decorator_list)
        inside = statement.body if isinstance(statement, ast.ClassDef) else []
        return not known or any(_acts(module, s) for s in inside)
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        elsewhere = any(not isinstance(target, ast.Name | ast.Tuple) for target in targets)
        return elsewhere or any(_unknown_calls(module, statement))
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return not (is_text or isinstance(statement, ast.Pass))


def _is_decorating(module: Module, node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else node
    return _dotted(module, called) in DECORATING


def _unknown_calls(module: Module, statement: ast.stmt) -> Iterator[str]:
    """Yield calls that may do more than compute."""
    for node in ast.walk(statement):
        if isinstance(node, ast.NamedExpr | ast.Await):
            yield "an assignment"
        elif isinstance(node, ast.Call):
            name = _dotted(module, node.func)
            known = name in COMPUTING or name in METHODS or (":" in name and is_plain(name))
            if not known:
                yield name


def is_plain(address: str) -> bool:
    """Return whether an address is that of a data class whose creation only stores values."""
    path, _, name = address.partition(":")
    module = read_module(path)
    node = module.statements[name][0]
    if not isinstance(node, ast.ClassDef) or node.bases:
        return False
    decorators = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    made = {s.name for s in node.body if isinstance(s, FUNCTIONS)} & MAKING
    return any(_dotted(module, d) == DATACLASS for d in decorators) and not made


def _dotted(module: Module, node: ast.expr) -> str:
    """Return what is called: an address, a name from outside, or `.name` of an object."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return f".{parts[-1]}" if parts else "a computed function"
    found = module.find([node.id, *parts])
    if found is None:
        return ".".join([node.id, *parts])
    return found[0] if found[1] == len(parts) + 1 else f".{parts[-1]}"
