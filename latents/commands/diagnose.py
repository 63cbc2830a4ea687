"""`latents diagnose`."""

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from latents.commands.words import Config, Configfile, Cores, snakemake_options

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="npz, HDF5 or CSV with mean, variance (or logvar) and optional factors.",
        show_default=False,
    ),
]


def diagnose(
    file: File, cores: Cores = "all", config: Config = None, configfile: Configfile = None
) -> None:
    """Find the passive latents of your representation.

    Says what they do to its scores, and whether to drop them. Scores, types and a heat map are kept
    in results/diagnoses/.

    \b
    Examples:
      latents diagnose mine.npz
      latents diagnose mine.csv --config diagnosis_leaves_out=[dci]

    Exit codes: 0 if there is a diagnosis, 1 if not.
    """
    from latents.runtime.errors import Problem
    from latents.workflow.clone import run_snakemake
    from latents.workflow.lock import clear_dead_lock

    if not file.is_file():
        raise Problem(f"{file} is not there")
    here, name = Path(), name_in_paths(file)
    scores = Path("results", "diagnoses", name, "scores.csv")
    own = f"representations={json.dumps({name: str(file)})}"
    options = snakemake_options(str(scores), [*(config or []), own], configfile)
    clear_dead_lock(here)
    words = ("--cores", cores, *options, "--quiet", "progress", "rules", "--")
    if run_snakemake(here, *words, str(scores)):
        raise Problem(f"there is no diagnosis of {file}, for the reason above")
    typer.echo(scores.with_name("advice.txt").read_text(), nl=False)
    typer.echo(f"Scores, types and heat map are in {scores.parent}/")


def name_in_paths(file: Path) -> str:
    """Return a file's name without its ending, as it can stand in paths and commands."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", file.stem)
