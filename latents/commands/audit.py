"""`latents audit`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from latents.commands.words import Artefact, Directory


def audit(
    target: Artefact,
    directory: Directory = Path(),
    every: Annotated[bool, typer.Option("--every", help="One line for every artefact.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="All of it, for machines.")] = False,
    environment: Annotated[
        bool, typer.Option("--environment", help="Also list what other versions made.")
    ] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write a page.")] = None,
) -> None:
    """Check a target and all that it was made from.

    Every file is hashed again, and every job is compared with what the present code and
    configuration would run. A copy of an artefact is recognised by its bytes.

    \b
    Examples:
      latents audit figures/fig9.pdf
      latents audit fig9 --html results/audit.html
      latents audit fig9 --environment
      latents audit ~/Downloads/fig9.pdf --directory ~/latents --json

    Exit codes: 0 if all of it is fresh, 1 if not. Other versions of packages leave it fresh.
    """
    from latents.provenance import audit_text
    from latents.provenance.audit import audit as audit_chain
    from latents.provenance.audit_page import write_page
    from latents.provenance.environments import environment_lines
    from latents.workflow.targets import find_artefact

    found = audit_chain(find_artefact(target, directory), directory)
    if as_json:
        typer.echo(json.dumps(audit_text.as_json(found), indent=1))
    else:
        for line in (*audit_text.tree(found, every=every), audit_text.summary(found)):
            typer.echo(line)
        if found.remark:
            typer.echo(found.remark)
        for line in environment_lines(found) if environment else []:
            typer.echo(line)
    if html:
        write_page(html, found, directory)
        typer.echo(f"The audit as a page: {html}", err=True)
    raise typer.Exit(0 if found.is_fresh else 1)
