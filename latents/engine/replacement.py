"""What this workflow replaces of Snakemake, which has no interface for it.

Snakemake's persistence is a closed choice of two classes, so the one that judges by records is set
in the place of its default.
"""

import hashlib
import inspect
from typing import Any

from packaging.version import Version

from latents.runtime.errors import Problem

# Versions with which the replaced parts were read and tested: the first, and the first beyond.
TESTED = ("9.27.1", "9.28")


def replace(owner: Any, name: str, new: Any, *, known: str) -> None:
    """Set `owner.name` to `new`, if it still is what `new` was written for.

    `known` is the signature of the original as `signature_of` returns it.
    """
    refuse_untested_version()
    original = getattr(owner, name, None)
    found = signature_of(original) if original is not None else "nothing"
    if found != known:
        raise Problem(
            f"Snakemake's {owner.__name__}.{name} is {found}, not {known}: "
            f"use Snakemake {TESTED[0]}"
        )
    setattr(owner, name, new)


def refuse_untested_version() -> None:
    """Raise unless the running Snakemake is one of those that this was tested with."""
    from snakemake import __version__

    if not Version(TESTED[0]) <= Version(__version__) < Version(TESTED[1]):
        raise Problem(
            f"Snakemake {__version__} was not tested with this workflow: "
            f"use at least {TESTED[0]} and below {TESTED[1]}"
        )


def signature_of(function: Any) -> str:
    """Return the parameters of a function or class, without annotations and defaults."""
    return f"({', '.join(inspect.signature(function).parameters)})"


def source_digest(thing: Any) -> str:
    """Return a short digest of the source of a function, class or module."""
    return hashlib.sha256(inspect.getsource(thing).encode()).hexdigest()[:16]
