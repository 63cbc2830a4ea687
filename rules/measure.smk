# Cheap metrics are scored a cell at a time, costly ones a run at a time.
COST = {name: constant("metrics", name, "COST") for name in registry("metrics")}
CHEAP = [name for name, cost in COST.items() if cost == "cheap"]
COSTLY = [name for name, cost in COST.items() if cost == "costly"]


rule score_metric:
    input:
        representations=representations_of,
        variables=rules.classify_variables.output.variables,
    output:
        scores=f"{RESULTS}/scores/{{cell}}/{{metric}}.csv",
    log:
        f"{RESULTS}/logs/score_metric/{{cell}}/{{metric}}.log",
    wildcard_constraints:
        metric="|".join(CHEAP),
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


rule score_run:
    input:
        evaluation=rules.encode_evaluation.output.evaluation,
        representation=rules.encode_representation.output.representation,
    output:
        scores=f"{RESULTS}/scores/{RUN}/{{metric}}.csv",
    log:
        f"{RESULTS}/logs/score_run/{RUN}/{{metric}}.log",
    wildcard_constraints:
        metric="|".join(COSTLY),
    conda:
        "../envs/latents.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(30),
    params:
        job=lambda wildcards: job(
            "score_run",
            {
                "metric": wildcards.metric,
                "pairs": SETTINGS.options["pairs"],
                "tolerance": SETTINGS.options["type_tolerance"],
                "seed": seed_of(wildcards, wildcards.metric),
                "trees": scale_of(wildcards)["trees"],
            },
            f"metrics/{wildcards.metric}",
        ),
    shell:
        "python {SCRIPTS}/score_run.py {params.job:q} --in evaluation={input.evaluation} "
        "representation={input.representation} --out scores={output.scores} " + SHOW


def chen_mig_job(wildcards):
    scale = scale_of(wildcards)
    values = {
        "variation": dataset_of(wildcards).get("variation"),
        "factors": dataset_of(wildcards).get("chen_factors"),
        "subset": scale["decomposition_images"],
        "samples": scale["decomposition_samples"],
        "images_seed": SETTINGS.options["images_seed"],
        "noise_seed": seed_of(wildcards, "chen_mig"),
        "threads": scale["threads"],
    }
    return job("score_chen_mig", values, *model_modules(wildcards))


rule score_chen_mig:
    input:
        images=images_of,
        background=background_of,
        model=rules.train_model.output.model,
    output:
        scores=f"{RESULTS}/scores/{RUN}/chen_mig.csv",
    log:
        f"{RESULTS}/logs/score_chen_mig/{RUN}.log",
    conda:
        "../envs/latents.yaml"
    threads: lambda wildcards: scale_of(wildcards)["threads"]
    resources:
        gpu=GPU,
        mem_mb=growing(4000),
        runtime=growing(30),
    params:
        job=chen_mig_job,
    shell:
        "python {SCRIPTS}/score_chen_mig.py {params.job:q} --in images={input.images} "
        "background={input.background} model={input.model} --out scores={output.scores} "
        "--with device={DEVICE} " + SHOW


rule gather_scores:
    input:
        scored=lambda wildcards: [
            f"{RESULTS}/scores/{RUN}/{wildcards.metric}.csv".format(
                cell=wildcards.cell, strength=strength, seed=seed
            )
            for strength, seed in SETTINGS.runs(wildcards.cell)
        ],
    output:
        scores=f"{RESULTS}/scores/{{cell}}/{{metric}}.csv",
    log:
        f"{RESULTS}/logs/gather_scores/{{cell}}/{{metric}}.log",
    wildcard_constraints:
        metric="|".join([*COSTLY, "chen_mig"]),
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job("gather_scores", {"runs": runs_of(wildcards)}),
    shell:
        "python {SCRIPTS}/gather_scores.py {params.job:q} --in scored={input.scored} "
        "--out scores={output.scores} " + SHOW


use rule gather_scores as gather_snapshots with:
    input:
        scored=lambda wildcards: [
            f"{RESULTS}/models/{RUN}/snapshots.csv".format(
                cell=wildcards.cell, strength=strength, seed=seed
            )
            for strength, seed in SETTINGS.runs(wildcards.cell)
        ],
    output:
        scores=f"{RESULTS}/snapshots/{{cell}}.csv",
    log:
        f"{RESULTS}/logs/gather_snapshots/{{cell}}.log",
    wildcard_constraints:
        cell="|".join(SNAPSHOT_CELLS) or "-",


rule describe_latents:
    input:
        representations=representations_of,
    output:
        latents=f"{RESULTS}/latents/{{cell}}.csv",
    log:
        f"{RESULTS}/logs/describe_latents/{{cell}}.log",
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job(
            "describe_latents",
            {"runs": runs_of(wildcards), "tolerance": SETTINGS.options["type_tolerance"]},
        ),
    shell:
        "python {SCRIPTS}/describe_latents.py {params.job:q} "
        "--in representations={input.representations} --out latents={output.latents} " + SHOW


rule correlate_latents:
    input:
        representations=representations_of,
    output:
        correlations=f"{RESULTS}/correlation_matrices/{{cell}}.csv",
    log:
        f"{RESULTS}/logs/correlate_latents/{{cell}}.log",
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job("correlate_latents", {"runs": runs_of(wildcards)}),
    shell:
        "python {SCRIPTS}/correlate_latents.py {params.job:q} "
        "--in representations={input.representations} "
        "--out correlations={output.correlations} " + SHOW


def correlation_job(wildcards):
    row = SETTINGS.correlations[wildcards.correlation]
    values = {key: row[key] for key in ("rows", "columns", "representation")}
    return job("correlate_scores", {**values, "seed": SETTINGS.options["images_seed"]})


def correlated_scores(wildcards):
    row = SETTINGS.correlations[wildcards.correlation]
    scores = {*row["rows"], *row["columns"]}
    metrics = sorted({metric_of(score, "") for score in scores})
    return [f"{RESULTS}/scores/{cell}/{metric}.csv" for cell in row["cells"] for metric in metrics]


rule correlate_scores:
    input:
        scores=correlated_scores,
    output:
        correlations=f"{RESULTS}/correlations/{{correlation}}.csv",
    log:
        f"{RESULTS}/logs/correlate_scores/{{correlation}}.log",
    wildcard_constraints:
        correlation="|".join(SETTINGS.correlations),
    conda:
        "../envs/latents.yaml"
    params:
        job=correlation_job,
    shell:
        "python {SCRIPTS}/correlate_scores.py {params.job:q} --in scores={input.scores} "
        "--out correlations={output.correlations} " + SHOW


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
        "noise_seed": seed_of(wildcards, "sampled"),
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
    resources:
        gpu=GPU,
        mem_mb=growing(4000),
        runtime=growing(30),
    params:
        job=decomposition_job,
    shell:
        "python {SCRIPTS}/decompose_elbo.py {params.job:q} --in images={input.images} "
        "background={input.background} model={input.model} --out decomposition={output.decomposition} "
        "--with device={DEVICE} " + SHOW
