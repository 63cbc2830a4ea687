"""`latents plan`."""

from pathlib import Path

import typer

from latents.commands.words import Config, Configfile, Target, snakemake_options


def plan(target: Target, config: Config = None, configfile: Configfile = None) -> None:
    """Show what a target would cost, and what is done.

    Jobs, hours and disk by stage, from the records of earlier runs. Nothing is built.

    \b
    Examples:
      latents plan figures --config scale=paper
      latents plan fig9

    Exit codes: 0 if the target can be planned, 1 if not.
    """
    from latents.workflow import targets
    from latents.workflow.measurements import measurements
    from latents.workflow.plan_table import plan_table

    here, target = Path(), targets.full_name(target)
    options = snakemake_options(target, config, configfile)
    jobs = targets.plan(target, ["--forceall", *options], here)
    waiting = targets.plan(target, options, here)
    for line in plan_table(jobs, waiting, measurements(here), here):
        typer.echo(line)
