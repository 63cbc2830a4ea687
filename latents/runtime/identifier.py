"""The short identifier in an artefact's own bytes, by which its record is found.

Each format has its own place for it; everywhere it is the word `record` and 16 digits.
"""

import mmap
import re
from pathlib import Path

CARRIED = re.compile(rb"record\W{1,8}([0-9a-f]{16})")


def carried(identifier: str) -> str:
    """Return the identifier as it is written into files."""
    return f"record {identifier}"


def read_identifier(path: Path) -> str | None:
    """Return the last identifier in a file: a representation names its model's before its own."""
    if path.stat().st_size == 0:
        return None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        found = CARRIED.findall(content)
    return found[-1].decode() if found else None
