"""`latents show`."""

from pathlib import Path

import typer

from latents.commands.words import Artefact


def show(target: Artefact) -> None:
    """Say where a result is, and what a figure shows.

    \b
    Examples:
      latents show fig9
      latents show results/laptop/variables/dsprites_beta_vae.csv

    Exit codes: 0, or 1 if it is not built.
    """
    from latents.workflow.targets import find_artefact

    path = find_artefact(target, Path())
    caption = path.with_suffix(".txt")
    is_figure = path.suffix == ".pdf" and caption.exists()
    typer.echo(f"\n{path}" + (f"  (numbers: {path.with_suffix('.csv')})" if is_figure else ""))
    if is_figure:
        typer.echo(caption.read_text(), nl=False)
