"""Failures in one sentence each, where a user can do something about them."""

import errno
from pathlib import Path

from latents.runtime.environment import peak_memory_mb
from latents.runtime.errors import Problem

NO_SPACE = "No space left on device"
NO_MEMORY = ("allocate memory", "not enough memory", "out of memory")  # as PyTorch says it


def in_words(error: Exception, where: Path) -> str | None:
    """Return what a user can do about an error of the job that makes `where`; None if nothing."""
    if isinstance(error, Problem):
        return str(error)
    if getattr(error, "errno", None) == errno.ENOSPC or NO_SPACE in str(error):
        return (
            f"no space left on the disk that holds {where.parent}; nothing was written, make room "
            "and run the same command again"
        )
    if isinstance(error, MemoryError) or any(words in str(error) for words in NO_MEMORY):
        return (
            f"out of memory while making {where} (it had {peak_memory_mb()} MB); run fewer jobs "
            "at once or where there is more, with the same command"
        )
    if isinstance(error, OSError):
        return f"{error.filename or where}: {error.strerror or error}"
    return None
