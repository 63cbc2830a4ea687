"""`latents watch`."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

SECONDS_BETWEEN_LOOKS = 5
CLEAR = "\x1b[H\x1b[J"


def watch(
    once: Annotated[
        bool, typer.Option("--once", help="Look once instead of until the end.")
    ] = False,
) -> None:
    """Show how far the workflow in this folder is.

    Goes on until the workflow ends or Ctrl-C. Reads files only, so it works on any machine that
    sees the folder.

    \b
    Examples:
      latents watch
      latents watch --once

    Exit codes: 0, or 1 if no workflow was started in this folder.
    """
    from latents.workflow.lock import is_locked
    from latents.workflow.watch import Watch, describe

    seen = Watch()
    try:
        while True:
            goes_on = is_locked(Path(".snakemake"))  # before the look: what ends meanwhile is seen
            now = time.time()
            text = "\n".join(describe(seen, seen.look(now), now))
            typer.echo(CLEAR * sys.stdout.isatty() + text)
            if not goes_on:
                typer.echo("No workflow is running in this folder any more.")
            if once or not goes_on:
                return
            time.sleep(SECONDS_BETWEEN_LOOKS)
    except KeyboardInterrupt:
        return
