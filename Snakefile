"""Every artefact of the papers as a file target; `snakemake --cores N figures/fig9.pdf`."""

from snakemake.utils import min_version

min_version("9.27")


include: "rules/common.smk"
include: "rules/report.smk"
include: "rules/data.smk"
include: "rules/train.smk"
include: "rules/represent.smk"
include: "rules/measure.smk"
include: "rules/figures.smk"
include: "rules/claims.smk"
include: "rules/own.smk"
include: "rules/audit.smk"


# Seconds each: on a cluster they run where Snakemake runs. Downloads are among them because compute
# nodes often have no network.
localrules:
    all,
    built,
    export_crate,
    obtain_originals,
    gather_scores,
    gather_snapshots,
    check_claim,
    gather_claims,
    gather_built_claims,
    draw_figure,
    draw_claims,
    draw_contact_sheet,
    publish_figure,
    publish_claims,
    correlate_scores,


rule all:
    default_target: True
    input:
        expand("figures/{figure}.pdf", figure=SETTINGS.figures),
        "figures/claims.pdf",
