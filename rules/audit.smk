# A figure with its tables, records, code and jobs, for archives and for other people's tools.
rule export_crate:
    input:
        figure=multiext("figures/{figure}", ".pdf", ".png", ".csv", ".txt"),
    output:
        crate="figures/{figure}.crate.zip",
    log:
        f"{RESULTS}/logs/export_crate/{{figure}}.log",
    wildcard_constraints:
        figure="|".join([*SETTINGS.figures, "claims"]),
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job("export_crate", {"by_value": SETTINGS.options["crate_by_value"]}),
    shell:
        "python {SCRIPTS}/export_crate.py {params.job:q} --in figure={input.figure} "
        "--out crate={output.crate} " + SHOW
