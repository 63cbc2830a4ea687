"""Every artefact of the papers as a file target; `snakemake --cores N figures/fig9.pdf`."""

import os

from snakemake.utils import min_version

ENVIRONMENT = dict(os.environ)  # before the rules: what they set for jobs counts
min_version("9.27.1")  # latents/engine/replacement.py has the ceiling


include: "rules/common.smk"
include: "rules/data.smk"
include: "rules/train.smk"
include: "rules/represent.smk"
include: "rules/measure.smk"
include: "rules/figures.smk"
include: "rules/claims.smk"
include: "rules/diagnose.smk"
include: "rules/export.smk"


# Rules that are added below are Snakemake's own matter.
running.release(workflow)


rule all:
    default_target: workflow.modifier.is_main_snakefile()
    input:
        expand("figures/{figure}.pdf", figure=SETTINGS.figures),
        "figures/claims.pdf",


# What a report can show without anything being built: snakemake built --report report.html
rule built:
    input:
        PATHS.built_files,
