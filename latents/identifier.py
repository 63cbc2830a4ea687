"""The short identifier that an artefact carries in its own bytes, and its record names.

Every format has its own place for it, but everywhere it is the word `record` and 16 digits.
"""

import mmap
import re
from pathlib import Path

CARRIED = re.compile(rb"record\W{1,8}([0-9a-f]{16})")


def carried(identifier: str) -> str:
    """As it stands in a file."""
    return f"record {identifier}"


def read_identifier(path: Path) -> str | None:
    """A representation also names its model's, but before its own."""
    if path.stat().st_size == 0:
        return None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        found = CARRIED.findall(content)
    return found[-1].decode() if found else None
