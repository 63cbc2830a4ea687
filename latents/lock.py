"""Who holds Snakemake's lock: told at the start of every run, so that a dead owner can be proven.

Snakemake's own lock files name no process. A run that was killed leaves them behind, and every
later run is refused until somebody unlocks the folder.
"""

import json
import platform
from pathlib import Path

from latents.lease import is_alive, this_process


def write_owner(folder: Path) -> None:
    """Note this process beside the lock it holds."""
    (folder / "owner.json").write_text(json.dumps(this_process()))


def is_locked(folder: Path) -> bool:
    return any((folder / "locks").glob("*"))


def owner_is_dead(folder: Path) -> bool:
    """True only where it is certain: this host, an owner noted after the lock, and no such process.

    A lock that is newer than the note belongs to a run that has just started elsewhere.
    """
    note = folder / "owner.json"
    try:
        owner = json.loads(note.read_text())
        locked = max(lock.stat().st_mtime for lock in (folder / "locks").glob("*"))
        if locked > note.stat().st_mtime or owner["host"] != platform.node():
            return False
        return not is_alive(owner)
    except (OSError, ValueError, KeyError):
        return False
