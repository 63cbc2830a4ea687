"""`latents why`."""

from pathlib import Path

import typer

from latents.commands.words import Config, Configfile, Target, snakemake_options


def why(target: Target, config: Config = None, configfile: Configfile = None) -> None:
    """List the jobs that a target would run, and why.

    Nothing is built. Costs are those of earlier runs of the same step.

    \b
    Examples:
      latents why figures/fig9.pdf
      latents why fig9 --config scale=paper seeds=5
      latents why all

    Exit codes: 0 if the target can be planned, 1 if not.
    """
    from latents.workflow.measurements import measurements
    from latents.workflow.reasons import costs_of, explain
    from latents.workflow.targets import full_name, plan

    here, target = Path(), full_name(target)
    jobs = plan(target, snakemake_options(target, config, configfile), here)
    if not jobs:
        typer.echo(f"{target}: nothing to be done, it is up to date")
        return
    for line in explain(jobs, here, costs_of(measurements(here))):
        typer.echo(line)
