"""`latents unpack`."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer


def unpack(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A pack.", show_default=False)],
) -> None:
    """Take in a pack, and say what is stale.

    All of it is checked before any of it is placed. A damaged or edited pack is refused, and so is
    one that would replace a different file.

    \b
    Example:
      latents unpack fig9.pack.zip

    Exit codes: 0 if all of it is in place, 1 if it was refused.
    """
    from latents.provenance.pack_check import check_pack
    from latents.provenance.unpack import place_pack
    from latents.runtime.record import digest
    from latents.workflow.lock import clear_dead_lock

    here = Path()
    clear_dead_lock(here)
    pack = check_pack(file)
    placed = place_pack(pack, here)
    there = len(pack.manifest["files"]) - len(placed)
    commit = str(pack.manifest["code"]["commit"])[:7]
    typer.echo(
        f"{pack.chain.target}, made at commit {commit}: {len(placed)} files were placed"
        + (f", {there} were here already" if there else "")
    )
    for name, found in pack.chain.given.items():
        if not Path(name).is_file() or digest(Path(name)) != found:
            typer.echo(
                f"made from {name}, which packs leave out: put the file with sha256 {found} there"
            )
    for line in what_is_stale(pack.chain.target, pack.chain.configuration, here):
        typer.echo(line)


def what_is_stale(target: str, configuration: dict[str, Any], folder: Path) -> Iterator[str]:
    """Tell what Snakemake thinks of the files here, and how to ask it."""
    from latents.runtime.errors import Problem
    from latents.workflow.dry_run import config_options, planned_jobs
    from latents.workflow.measurements import measurements
    from latents.workflow.reasons import costs_of, explain

    options = config_options(configuration)
    command = shlex.join(["snakemake", "--cores", "all", target, *options])
    try:
        jobs = planned_jobs([target], options, folder)
    except Problem as problem:
        yield f"Snakemake cannot plan it here yet: {problem}"
        return
    if jobs:
        yield "The code or configuration here is not the pack's, so these count as stale:"
        yield from explain(jobs, folder, costs_of(measurements(folder)))
        yield f"To build them anew: {command}"
    else:
        yield f"All of it is up to date here: {command}"
        yield f"Where it comes from: latents audit {target}"
