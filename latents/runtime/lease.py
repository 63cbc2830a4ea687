"""One process at a time runs a job, on any machine that shares the file system.

A Snakemake that is killed leaves its jobs running, on a cluster for hours; the next one starts them
again. A lease is a small file beside the outputs: host and process of its holder, and a
modification time that the holder renews while it lives.

Guarantees:

- A job whose lease is held waits. It continues once the holder has released it or is dead: on the
  holder's own machine when that process is gone, elsewhere when the file was not renewed in as many
  checks as fit into `PATIENCE` seconds (clocks of two machines are never compared, and nobody
  checks while the file system hangs).
- A holder that was silent for so long and lost its lease (suspended, cut off from the file system)
  ends itself at its next renewal. Until then both may run, but each writes under names of its own
  and renames complete files, so nothing is ever mixed.
- Only exclusive creation, renaming and modification times are used, which network file systems
  support reliably; locks of the operating system often do not reach beyond one machine.
"""

import contextlib
import errno
import json
import os
import platform
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

RENEWAL = 15.0  # seconds
PATIENCE = 8 * RENEWAL
LOOK = 0.5  # seconds between two looks at a lease that somebody else holds
LOST = 75  # exit code of a process that lost its lease


@contextmanager
def lease(path: Path) -> Iterator[None]:
    """Hold the lease at `path`; wait while another process has it."""
    me = this_process()
    path.parent.mkdir(parents=True, exist_ok=True)
    _acquire(path, me)
    done = threading.Event()
    threading.Thread(target=_renew, args=(path, me, done), daemon=True).start()
    try:
        yield
    finally:
        done.set()
        with contextlib.suppress(OSError):
            if _read(path)[0] == me:
                path.unlink(missing_ok=True)


def this_process() -> dict[str, Any]:
    """Return host, number and creation time of this process: numbers alone are reused."""
    return {"host": platform.node(), "pid": os.getpid(), "created": _created(os.getpid())}


def is_alive(holder: dict[str, Any]) -> bool:
    """Return whether this local process is alive."""
    try:
        return bool(_created(holder["pid"]) == holder["created"])
    except (OSError, psutil.NoSuchProcess):
        return False


def _created(pid: int) -> str:
    """Return when a process was created, in a measure that does not depend on the clock.

    Linux counts from its start, which has a name; elsewhere the clock's time must do.
    """
    boot = Path("/proc/sys/kernel/random/boot_id")
    if not boot.exists():
        return str(psutil.Process(pid).create_time())
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return f"{boot.read_text().strip()} {after_name[19]}"


def _acquire(path: Path, me: dict[str, Any]) -> None:
    while not _create(path, me):
        holder = _wait_for_end(path)
        if holder is not None:
            _take_away(path, holder, me)


def _create(path: Path, me: dict[str, Any]) -> bool:
    """Create a lease; return False if there is one already."""
    try:
        with path.open("x") as file:
            file.write(json.dumps(me))
    except FileExistsError:
        return False
    except OSError:
        path.unlink(missing_ok=True)  # a full disk: no empty lease must stay
        raise
    return True


def _wait_for_end(path: Path) -> dict[str, Any] | None:
    """Wait until the lease is gone (None) or its holder is dead (that holder)."""
    seen: tuple[dict[str, Any], int] | None = None
    silent, told = 0.0, False
    while True:
        try:
            holder, renewed = _read(path)
        except OSError as error:
            if error.errno != errno.ESTALE:  # a network file system's word for just replaced
                raise
            continue
        if renewed is None:
            return None
        silent = silent + LOOK if (holder, renewed) == seen else 0.0
        seen = holder, renewed
        here = holder.get("host") == platform.node()
        dead = not is_alive(holder) if here else silent > PATIENCE
        if dead:
            return holder
        if not told:
            print(f"waiting: {_in_words(holder)} is at this very job", flush=True)
            told = True
        time.sleep(LOOK)


def _take_away(path: Path, holder: dict[str, Any], me: dict[str, Any]) -> None:
    """Remove a dead holder's lease, unless another waiting process has done so."""
    aside = path.with_name(f"{path.name}.{me['host']}.{me['pid']}")
    with contextlib.suppress(FileNotFoundError):
        path.rename(aside)
        if _read(aside)[0] != holder:  # a living one's, that came in between: give it back
            with contextlib.suppress(FileExistsError):
                os.link(aside, path)
        aside.unlink()


def _renew(path: Path, me: dict[str, Any], done: threading.Event) -> None:
    """Renew the lease while this process lives; end the process if it lost its lease."""
    while not done.wait(RENEWAL):
        with contextlib.suppress(OSError):  # a file system that is away for a moment
            holder, renewed = _read(path)
            if (renewed is None or holder != me) and not done.is_set():
                print("another process took over this job; ending here", file=sys.stderr)
                sys.stderr.flush()
                os._exit(LOST)
            os.utime(path)


def _read(path: Path) -> tuple[dict[str, Any], int | None]:
    """Return holder and time of renewal; None if there is no lease.

    Opening the file makes network file systems ask the server for its present state.
    """
    try:
        with path.open() as file:
            text, renewed = file.read(), os.fstat(file.fileno()).st_mtime_ns
    except FileNotFoundError:
        return {}, None
    try:
        return json.loads(text), renewed
    except ValueError:  # its holder is just writing it, or died while it was
        return {}, renewed


def _in_words(holder: dict[str, Any]) -> str:
    return f"process {holder.get('pid', '?')} on {holder.get('host', '?')}"
