"""The one kind of error that is meant for the user's eyes."""

import zipfile
import zlib

# What reading a damaged or hostile archive can raise.
ARCHIVE_ERRORS = (
    OSError, KeyError, ValueError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error
)  # fmt: skip


class Problem(Exception):
    """Something is wrong with the input, the machine or the run: one sentence, what and where."""
