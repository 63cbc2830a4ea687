"""`latents trace`."""

from pathlib import Path
from typing import Annotated

import typer

from latents.commands.words import Directory, check_pairs, complete_target

Table = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="The table of a figure (figures/fig9.csv), its short name (fig9.csv), or a copy.",
        show_default=False,
        autocompletion=complete_target,
    ),
]
Where = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[COLUMN=VALUE]...",
        help="Which of its rows.",
        show_default=False,
        callback=check_pairs,
    ),
]


def trace(table: Table, where: Where = None, directory: Directory = Path()) -> None:
    """Name the runs behind the points of a figure.

    Their score rows, representations and checkpoints, by the columns of the figure's table. Each
    point is computed again from those rows.

    \b
    Examples:
      latents trace figures/fig9.csv panel=a strength=50 representation=mean
      latents trace fig9.csv

    Exit codes: 0 if every point comes out as the figure shows it, 1 if not.
    """
    from latents.provenance.trace import trace as trace_points
    from latents.provenance.trace_text import describe
    from latents.workflow.targets import find_artefact

    wanted = dict(text.split("=", 1) for text in where or [])
    agree = True
    for point in trace_points(find_artefact(table, directory), wanted, directory):
        for line in describe(point, directory):
            typer.echo(line)
        agree &= point.agrees
    raise typer.Exit(0 if agree else 1)
