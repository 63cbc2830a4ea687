"""Clear the lock of a run that was killed; leave any other lock alone."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from latents.lock import is_locked, owner_is_dead  # noqa: E402


def clear_lock(folder: Path) -> None:
    if not is_locked(folder):
        return
    if owner_is_dead(folder):
        print("The run that held this folder's lock is dead; unlocking.", flush=True)
        command = [sys.executable, "-m", "snakemake", "--unlock", "--cores", "1", "--quiet", "all"]
        sys.exit(subprocess.run(command, cwd=folder.parent).returncode)


if __name__ == "__main__":
    clear_lock(ROOT / ".snakemake")
