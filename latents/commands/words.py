"""Arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from latents.runtime.errors import Problem


def complete_target(incomplete: str) -> list[str]:
    """Return the figures that a word begins, or any targets once it begins with `results/`."""
    from latents.workflow.targets import known_targets

    try:
        known = known_targets()
    except Problem:
        return []
    start = incomplete if incomplete.startswith("results/") else "figures/"
    return [target for target in known if target.startswith(start)]


def check_pairs(words: list[str] | None) -> list[str] | None:
    """Refuse words that are not of the form KEY=VALUE."""
    if wrong := [word for word in words or [] if "=" not in word]:
        raise typer.BadParameter(f"{wrong[0]} is not of the form KEY=VALUE")
    return words


Target = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="A file that the workflow makes (figures/fig9.pdf), or its short name (fig9).",
        show_default=False,
        autocompletion=complete_target,
    ),
]
Artefact = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="A file that is built (figures/fig9.pdf), its short name (fig9), or a copy of it.",
        show_default=False,
        autocompletion=complete_target,
    ),
]
Config = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE ...",
        help="Settings as Snakemake takes them.",
        show_default=False,
        callback=check_pairs,
    ),
]
Configfile = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="A file of settings, as Snakemake takes it."),
]
Cores = Annotated[str, typer.Option(metavar="N", help="How many jobs run at once, or all.")]
Directory = Annotated[
    Path,
    typer.Option(
        metavar="FOLDER", help="The folder that holds results/ and figures/.", show_default="here"
    ),
]


def snakemake_options(
    target: str, config: list[str] | None, configfile: list[Path] | None
) -> list[str]:
    """Return the settings as Snakemake's own options; a path in results/ names its scale."""
    from latents.workflow.targets import settings_of

    files = ["--configfile", *map(str, configfile)] if configfile else []
    named = [f"{key}={value}" for key, value in settings_of(target).items()]
    words = [*named, *(config or [])]
    return files + (["--config", *words] if words else [])
