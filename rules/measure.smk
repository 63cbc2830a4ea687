rule score_metric:
    input:
        representations=representations_of,
        variables=rules.classify_variables.output.variables,
    output:
        scores=f"{RESULTS}/scores/{{cell}}/{{metric}}.csv",
    log:
        f"{RESULTS}/logs/score_metric/{{cell}}/{{metric}}.log",
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job(
            "score_metric",
            {
                "metric": wildcards.metric,
                **runs_of(wildcards),
                "pairs": SETTINGS.options["pairs"],
            },
            f"metrics/{wildcards.metric}",
        ),
    shell:
        "python {SCRIPTS}/score_metric.py {params.job:q} "
        "--in representations={input.representations} variables={input.variables} "
        "--out scores={output.scores} " + SHOW
