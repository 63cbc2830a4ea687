"""Modules that are chosen by name: the folder is the registry."""

from importlib import import_module
from types import ModuleType
from typing import Any


def load(folder: str, name: str) -> ModuleType:
    """Import the module `name` of a folder of the library, such as `models/priors`."""
    return import_module(f"latents.{folder.replace('/', '.')}.{name}")


def load_class(folder: str, name: str) -> Any:
    """Return the class that carries its module's name."""
    return getattr(load(folder, name), class_name(name))


def class_name(module: str) -> str:
    """Return the class name of a module: `dip_vae` -> `DipVae`."""
    return "".join(word.capitalize() for word in module.split("_"))
