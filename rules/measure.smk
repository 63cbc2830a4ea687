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
                "runs": runs_of(wildcards),
                "pairs": SETTINGS.options["pairs"],
            },
            f"metrics/{wildcards.metric}",
        ),
    shell:
        "python {SCRIPTS}/score_metric.py {params.job:q} "
        "--in representations={input.representations} variables={input.variables} "
        "--out scores={output.scores} " + SHOW


def decomposition_job(wildcards):
    scale = scale_of(wildcards)
    values = {
        "variation": dataset_of(wildcards).get("variation"),
        "cell": wildcards.cell,
        "strength": SETTINGS.strengths(wildcards.cell)[wildcards.strength],
        "seed": int(wildcards.seed),
        "subset": scale["decomposition_images"],
        "samples": scale["decomposition_samples"],
        "images_seed": SETTINGS.options["images_seed"],
        "noise_seed": noise_seed(wildcards),
        "threads": scale["threads"],
    }
    return job("decompose_elbo", values, *model_modules(wildcards))


rule decompose_elbo:
    input:
        images=images_of,
        background=background_of,
        model=rules.train_model.output.model,
    output:
        decomposition=f"{RESULTS}/decompositions/{RUN}.csv",
    log:
        f"{RESULTS}/logs/decompose_elbo/{RUN}.log",
    conda:
        "../envs/latents.yaml"
    threads: lambda wildcards: scale_of(wildcards)["threads"]
    params:
        job=decomposition_job,
    shell:
        "python {SCRIPTS}/decompose_elbo.py {params.job:q} --in images={input.images} "
        "background={input.background} model={input.model} --out decomposition={output.decomposition} "
        "--with device={DEVICE} " + SHOW
