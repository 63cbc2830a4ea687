"""`latents unlock`."""

from pathlib import Path


def unlock() -> None:
    """Clear the lock that a killed Snakemake left.

    Only where its owner is proven dead: it ran on this machine, and is gone.

    \b
    Example:
      latents unlock

    Exit codes: 0 if the folder is not locked (any more), 1 if it still is.
    """
    from latents.runtime.errors import Problem
    from latents.workflow.lock import clear_dead_lock

    if not clear_dead_lock(Path()):
        raise Problem(
            "this folder is locked, and its owner may be alive; if you are sure that no other run "
            "uses it, type snakemake --unlock"
        )
