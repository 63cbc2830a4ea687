# Cheap metrics are scored a cell at a time, costly ones a run at a time, and those that need the
# encoder with the trained model at hand.
rule score_metric:
    input:
        representations=PATHS.representations,
        variables=rules.classify_variables.output.variables,
    output:
        scores=f"{RESULTS}/scores/{{cell}}/{{metric}}.csv",
    log:
        f"{RESULTS}/logs/score_metric/{{cell}}/{{metric}}.log",
    wildcard_constraints:
        metric="|".join(METRICS["cheap"]),
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("score_metric"),
        job=JOBS.text(JOBS.score_metric),
    shell:
        "{params.script} {params.job:q} --in representations={input.representations} "
        "variables={input.variables} --out scores={output.scores} 2>&1 | tee {log}"


rule score_run:
    input:
        evaluation=rules.encode_evaluation.output.evaluation,
        representation=rules.encode_representation.output.representation,
    output:
        scores=f"{RESULTS}/scores/{RUN}/{{metric}}.csv",
    log:
        f"{RESULTS}/logs/score_run/{RUN}/{{metric}}.log",
    wildcard_constraints:
        metric="|".join(METRICS["costly"]),
    conda:
        "../envs/latents.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(30),
    params:
        script=SCRIPTS.script("score_run"),
        job=JOBS.text(JOBS.score_run),
    shell:
        "{params.script} {params.job:q} --in evaluation={input.evaluation} "
        "representation={input.representation} --out scores={output.scores} 2>&1 | tee {log}"


rule score_posteriors:
    input:
        images=PATHS.images,
        background=PATHS.background,
        model=rules.train_model.output.model,
    output:
        scores=f"{RESULTS}/scores/{RUN}/{{metric}}.csv",
    log:
        f"{RESULTS}/logs/score_posteriors/{RUN}/{{metric}}.log",
    wildcard_constraints:
        metric="|".join(METRICS["encoder"]),
    conda:
        "../envs/latents.yaml"
    threads: threads_of
    resources:
        gpu=GPU,
        mem_mb=growing(4000),
        runtime=growing(30),
    params:
        script=SCRIPTS.script("score_posteriors"),
        job=JOBS.text(JOBS.score_posteriors),
        device=DEVICE,
    shell:
        "{params.script} {params.job:q} --in images={input.images} background={input.background} "
        "model={input.model} --out scores={output.scores} "
        "--with device={params.device} 2>&1 | tee {log}"


rule gather_scores:
    input:
        scored=PATHS.scores_of_runs,
    output:
        scores=f"{RESULTS}/scores/{{cell}}/{{metric}}.csv",
    log:
        f"{RESULTS}/logs/gather_scores/{{cell}}/{{metric}}.log",
    wildcard_constraints:
        metric="|".join([*METRICS["costly"], *METRICS["encoder"]]),
    localrule: True
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("gather_scores"),
        job=JOBS.text(JOBS.gather_scores),
    shell:
        "{params.script} {params.job:q} --in scored={input.scored} "
        "--out scores={output.scores} 2>&1 | tee {log}"


use rule gather_scores as gather_snapshots with:
    input:
        scored=PATHS.snapshots_of_runs,
    output:
        scores=f"{RESULTS}/snapshots/{{cell}}.csv",
    log:
        f"{RESULTS}/logs/gather_snapshots/{{cell}}.log",
    wildcard_constraints:
        cell="|".join(SNAPSHOT_CELLS) or "-",


rule correlate_scores:
    input:
        scores=PATHS.correlated_scores,
    output:
        correlations=f"{RESULTS}/correlations/{{correlation}}.csv",
    log:
        f"{RESULTS}/logs/correlate_scores/{{correlation}}.log",
    wildcard_constraints:
        correlation="|".join(SETTINGS.correlations),
    localrule: True
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("correlate_scores"),
        job=JOBS.text(JOBS.correlate_scores),
    shell:
        "{params.script} {params.job:q} --in scores={input.scores} "
        "--out correlations={output.correlations} 2>&1 | tee {log}"


rule decompose_elbo:
    input:
        images=PATHS.images,
        background=PATHS.background,
        model=rules.train_model.output.model,
    output:
        decomposition=f"{RESULTS}/decompositions/{RUN}.csv",
    log:
        f"{RESULTS}/logs/decompose_elbo/{RUN}.log",
    conda:
        "../envs/latents.yaml"
    threads: threads_of
    resources:
        gpu=GPU,
        mem_mb=growing(4000),
        runtime=growing(30),
    params:
        script=SCRIPTS.script("decompose_elbo"),
        job=JOBS.text(JOBS.decompose_elbo),
        device=DEVICE,
    shell:
        "{params.script} {params.job:q} --in images={input.images} background={input.background} "
        "model={input.model} --out decomposition={output.decomposition} "
        "--with device={params.device} 2>&1 | tee {log}"
