"""Which units a job can reach, and one digest of all of them.

Names are followed to what they stand for. A method is reached if its class is used and its name is
looked up anywhere in what is reached; of a class and its bases the first that has it counts, as in
Python. So are the functions of modules that are loaded by name. Methods that a base class from
outside calls by itself are in `CALLED_FROM_OUTSIDE`; of other such bases, all methods are reached.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from latents.runtime.code_reader import Reading
from latents.runtime.code_units import read_module
from latents.runtime.plugins import class_name
from latents.runtime.sources import import_closure

CALLED_FROM_OUTSIDE = {
    "torch.nn.Module": {"forward", "train", "extra_repr", "_apply", "_load_from_state_dict"},
    "abc.ABC": set(),
    "typing.NamedTuple": set(),
    "typing.Protocol": set(),
    "Exception": set(),
}


LOADER = "latents/runtime/plugins.py"  # what it loads by name is handed to a fingerprint by name


def is_unresolved(address: str) -> bool:
    """Return whether a unit looks something up that reading cannot resolve."""
    return bool(reading_of(address).dynamic) and not address.startswith(LOADER)


def reading_of(address: str) -> Reading:
    """Return what a unit does and refers to."""
    path, _, name = address.partition(":")
    return read_module(path).reading(name)


@dataclass
class Reach:
    """Everything that can be reached from some units and from modules that are loaded by name."""

    neutral: frozenset[str] = frozenset()  # units that are left out, with all behind them
    units: dict[str, list[str]] = field(default_factory=dict)  # with what each refers to, in order
    classes: dict[str, None] = field(default_factory=dict)  # that are used, not only inherited
    modules: dict[str, None] = field(default_factory=dict)  # that are loaded by name
    looked_up: set[str] = field(default_factory=set)  # attributes
    unresolved: bool = False  # some look-up can reach anything

    def add(self, address: str) -> None:
        """Add a unit and all that its names lead to; a module as a value is all of it."""
        waiting = [address]
        while waiting:
            here = waiting.pop(0)
            path, _, name = here.partition(":")
            if not name:
                waiting += self._whole(path)
            elif here not in self.units and here not in self.neutral:
                waiting += self._note(here)
            if name and here not in self.neutral and read_module(path).is_class(name):
                self.classes[here] = None

    def _note(self, address: str) -> list[str]:
        """Note a unit; return what it leads to."""
        reading, owner = reading_of(address), _owner(address)
        self.units[address] = [*reading.units, *_own_bases(address), owner]
        self.looked_up |= reading.attributes
        self.unresolved = self.unresolved or is_unresolved(address)
        for base in _own_bases(address):
            self._inherit(base)
        return [*reading.units, *_called_by_super(owner, reading)]

    def _inherit(self, address: str) -> None:
        """Add a base class; its methods are reached through the classes that inherit them."""
        if address not in self.units and address not in self.neutral:
            for reached in self._note(address):
                self.add(reached)

    def _whole(self, path: str) -> list[str]:
        self.unresolved = True  # somebody holds the module and may look up anything
        return [f"{path}:{name}" for name in sorted(read_module(path).units)]

    def load(self, path: str) -> None:
        """Add a module that is loaded by name: what is looked up on it, and its own class."""
        self.modules[path] = None

    def complete(self) -> "Reach":
        """Add what is reached by look-ups on objects and on modules, until nothing is added."""
        known = -1
        while len(self.units) != known:
            known = len(self.units)
            for address in [*self._methods_looked_up(), *self._functions_looked_up()]:
                self.add(address)
        return self

    def _methods_looked_up(self) -> Iterator[str]:
        for address in list(self.classes):
            table = _method_table(address)
            called, everything = _called_from_outside(address)
            for name in sorted(table):
                special = name.startswith("__") and name.endswith("__")
                if everything or special or name in called or self._is_looked_up(name):
                    yield table[name]

    def _functions_looked_up(self) -> Iterator[str]:
        for path in self.modules:
            own = class_name(path.rpartition("/")[2].removesuffix(".py"))
            for name in sorted(read_module(path).statements):
                if name == own or self._is_looked_up(name):
                    yield f"{path}:{name}"

    def _is_looked_up(self, name: str) -> bool:
        return self.unresolved or name in self.looked_up

    def digest(self) -> str:
        """Return one hash of all units and of what refers to what; addresses are no part of it."""
        number = {address: index for index, address in enumerate(self.units)}
        lines = [
            f"{reading_of(address).content} {[number.get(name, -1) for name in names]}"
            for address, names in self.units.items()
        ]
        for path in self.modules:
            own = (number.get(f"{path}:{name}", -1) for name in read_module(path).statements)
            lines.append(f"loaded {sorted(own)}")
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    def contents(self) -> dict[str, dict[str, str]]:
        """Return the hash of every unit, by file and name."""
        files: dict[str, dict[str, str]] = {}
        for address in sorted(self.units):
            path, _, name = address.partition(":")
            files.setdefault(path, {})[name] = reading_of(address).content
        return files


def acts(paths: list[str]) -> list[str]:
    """Return the units that act when modules are imported, in an order without addresses."""
    files = sorted({file for path in paths for file in import_closure(path)})
    found = [f"{file}:{name}" for file in files for name in read_module(file).acts]
    return sorted(found, key=lambda address: (reading_of(address).content, address))


def _owner(address: str) -> str:
    """Return the address of a method's class; empty for other units."""
    path, _, name = address.partition(":")
    owner = name.rpartition(".")[0]
    return f"{path}:{owner}" if read_module(path).is_class(owner) else ""


def _called_by_super(owner: str, reading: Reading) -> list[str]:
    """Return the methods that a method of the class `owner` calls by `super()`."""
    tables = [_methods(base) for base in _ancestors(owner)] if reading.inherited else []
    found = (next((t[name] for t in tables if name in t), "") for name in sorted(reading.inherited))
    return [address for address in found if address]


@cache
def _own_bases(address: str) -> tuple[str, ...]:
    """Return the classes of this repository that a class inherits from directly."""
    path, _, name = address.partition(":")
    module = read_module(path)
    if not module.is_class(name):
        return ()
    return tuple(base for base in module.bases(name) if ":" in base)


@cache
def _ancestors(address: str) -> tuple[str, ...]:
    """Return all classes of this repository that a class inherits from, nearest first."""
    return tuple(a for base in _own_bases(address) for a in (base, *_ancestors(base)))


def _methods(address: str) -> dict[str, str]:
    path, _, name = address.partition(":")
    return read_module(path).methods(name)


@cache
def _method_table(address: str) -> dict[str, str]:
    """Return the methods of a class by name, where they are found first."""
    table: dict[str, str] = {}
    for owner in (address, *_ancestors(address)):
        for name, unit in _methods(owner).items():
            table.setdefault(name, unit)
    return table


@cache
def _called_from_outside(address: str) -> tuple[frozenset[str], bool]:
    """Return the methods that base classes from outside call; True if that is not known."""
    names: set[str] = set()
    for owner in (address, *_ancestors(address)):
        path, _, name = owner.partition(":")
        for base in read_module(path).bases(name):
            if ":" not in base:
                if base not in CALLED_FROM_OUTSIDE:
                    return frozenset(), True
                names |= CALLED_FROM_OUTSIDE[base]
    return frozenset(names), False
