"""The command line `latents`, for people; what the workflow runs is in scripts/."""

import typer

from latents.commands.audit import audit
from latents.commands.command import Command
from latents.commands.compare_dsprites import compare_dsprites
from latents.commands.crate_check import crate_check
from latents.commands.diagnose import diagnose
from latents.commands.pack import pack
from latents.commands.plan import plan
from latents.commands.show import show
from latents.commands.trace import trace
from latents.commands.unlock import unlock
from latents.commands.unpack import unpack
from latents.commands.verify import verify
from latents.commands.watch import watch
from latents.commands.why import why

BUILDING = (why, plan, watch, show, unlock)
PROVENANCE = (audit, trace, pack, unpack, verify, crate_check)
OWN_DATA = (diagnose, compare_dsprites)

app = typer.Typer(
    help="""Ask about the artefacts of the project: why they would be built, at what cost, from what
    they were made. Figures and all other files are built by make or by Snakemake.

    \b
    Examples:
      latents why fig9
      latents plan figures --config scale=paper
      latents audit figures/fig9.pdf

    Targets are paths (figures/fig9.pdf) or short names (fig9). Exit codes: 0 if all is well, 1 if
    not, 2 if the command line is wrong, 130 after Ctrl-C, 141 if the reader of a pipe has gone.""",
    no_args_is_help=True,
    rich_markup_mode=None,  # plain text starts in half the time
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for function in (*BUILDING, *PROVENANCE, *OWN_DATA):
    app.command(cls=Command)(function)


def main() -> None:
    """Run the command line under its own name, however it was started."""
    app(prog_name="latents")
