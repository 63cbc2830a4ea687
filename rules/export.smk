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
    localrule: True
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("export_crate"),
        job=JOBS.text(JOBS.export_crate),
    shell:
        "{params.script} {params.job:q} --in figure={input.figure} "
        "--out crate={output.crate} 2>&1 | tee {log}"
