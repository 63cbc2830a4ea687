"""`latents verify`."""

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latents.commands.words import Artefact, Cores

if TYPE_CHECKING:
    from latents.provenance.chain import Chain
    from latents.provenance.verification import Compared

Sample = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Make only N jobs of each step again.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="Which jobs a sample takes.")]


def verify(target: Artefact, sample: Sample = None, seed: Seed = 0, cores: Cores = "1") -> None:
    """Make a target again elsewhere, and compare.

    The whole chain, or a sample of its jobs, in a scratch folder. Results and figures are only
    read. The rebuilt files are kept where they differ.

    \b
    Examples:
      latents verify figures/fig9.pdf --cores all
      latents verify fig9 --sample 1 --seed 3

    Exit codes: 0 if all of it came out again, 1 if not.
    """
    from latents.provenance.audit import audit
    from latents.provenance.chain import read_chain
    from latents.provenance.verification import refuse_broken
    from latents.runtime.record import read_record
    from latents.workflow.targets import find_artefact

    here = Path()
    audited = audit(find_artefact(target, here), here)
    if changes := refuse_broken(audited):
        typer.echo(
            "The present code, configuration or data are not the recorded ones; two are compared:"
        )
        typer.echo("\n".join(f"  {change}" for change in changes))
    chain = read_chain(audited.target, lambda path: read_record(here / path))
    scratch = Path(tempfile.mkdtemp(prefix="latents-verify-"))
    typer.echo(f"Rebuilding {chain.target} in {scratch}")
    found = make_again(chain, here, scratch, sample, seed, cores)
    raise typer.Exit(conclude(found, here, scratch))


def make_again(
    chain: "Chain", here: Path, scratch: Path, sample: int | None, seed: int, cores: str
) -> list["Compared"]:
    """Return every artefact, recorded and rebuilt: of the whole chain, or of a sample."""
    from latents.provenance.verification import choose_sample, compare_all, rebuild, rebuild_sample

    steps = chain.steps()
    if sample is None:
        rebuild(chain, here, scratch, cores)
    else:
        steps = choose_sample(steps, sample, seed)
        rebuild_sample(chain, steps, here, scratch, cores)
    return compare_all(steps, here, scratch, sampled=sample is not None)


def conclude(found: list["Compared"], here: Path, scratch: Path) -> int:
    """Say what came out, and return the exit code; files that differ are kept."""
    from latents.provenance.verification import machine_changes
    from latents.provenance.verification_table import first_diverging, table

    for line in table(found):
        typer.echo(line)
    first = first_diverging(found)
    if first is None:
        shutil.rmtree(scratch)
        typer.echo("All of it came out again.")
        return 0
    typer.echo(
        f"The first step that diverges is {first.step}: {first.path}: {first.agreement.detail}"
    )
    if changes := machine_changes(first.path, here, scratch):
        typer.echo(f"Recorded and rebuilt on different machines: {', '.join(changes)}")
    typer.echo(f"The rebuilt files are kept in {scratch}")
    return 1
