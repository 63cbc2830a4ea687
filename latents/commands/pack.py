"""`latents pack`."""

from pathlib import Path
from typing import Annotated

import typer

from latents.commands.words import Artefact

File = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="The pack to write.", show_default="<name>.pack.zip, here"),
]


def pack(target: Artefact, file: File = None) -> None:
    """Pack a finished target for another clone.

    With all that it was made from; your own data files are only named, by their digests.

    \b
    Examples:
      latents pack figures/fig9.pdf
      latents pack fig9 /tmp/fig9.pack.zip

    Exit codes: 0 if the pack was written, 1 if not.
    """
    from latents.provenance.audit import locate
    from latents.provenance.pack import write_pack
    from latents.workflow.targets import find_artefact

    here = Path()
    path = locate(find_artefact(target, here), here)
    file = file or Path(f"{Path(path).stem}.pack.zip")
    chain, manifest = write_pack(path, here, file)
    size = sum(entry["bytes"] for entry in manifest["files"]) / 1e6
    typer.echo(
        f"{file}: {path} with all that it was made from, {len(chain.jobs)} jobs, {size:,.1f} MB"
    )
    for name, found in chain.given.items():
        typer.echo(f"not in it, because it is a file of yours: {name} (sha256 {found})")
    typer.echo(f"In another clone of the project: latents unpack {file.name}")
