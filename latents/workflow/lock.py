"""The holder of Snakemake's lock, noted at the start of every run so that its death can be proven.

Snakemake's own lock files name no process. A run that was killed leaves them behind, and every
later run is refused until somebody unlocks the folder.
"""

import json
import platform
from pathlib import Path

from latents.runtime.lease import is_alive, this_process
from latents.workflow.clone import run_snakemake


def write_owner(folder: Path) -> None:
    """Note this process beside the lock it holds."""
    (folder / "owner.json").write_text(json.dumps(this_process()))


def is_locked(folder: Path) -> bool:
    return any((folder / "locks").glob("*"))


def owner_is_dead(folder: Path) -> bool:
    """Return True only if it is certain: this host, an owner noted after the lock, no such process.

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


def clear_dead_lock(folder: Path) -> bool:
    """Unlock a folder whose owner is provably dead; return whether nobody holds it now."""
    if is_locked(folder / ".snakemake") and owner_is_dead(folder / ".snakemake"):
        print("The run that held this folder's lock is dead; unlocking.", flush=True)
        run_snakemake(folder, "--unlock", "--cores", "1", "--quiet", "all")
    return not is_locked(folder / ".snakemake")
