rule encode_representation:
    input:
        images=PATHS.images,
        background=PATHS.background,
        model=rules.train_model.output.model,
    output:
        representation=f"{RESULTS}/representations/{RUN}.h5",
    log:
        f"{RESULTS}/logs/encode_representation/{RUN}.log",
    conda:
        "../envs/latents.yaml"
    threads: threads_of
    resources:
        gpu=GPU,
        mem_mb=growing(4000),
        runtime=growing(10),
    params:
        script=SCRIPTS.script("encode_representation"),
        job=JOBS.text(JOBS.encode_representation),
        device=DEVICE,
    shell:
        "{params.script} {params.job:q} --in images={input.images} background={input.background} "
        "model={input.model} --out representation={output.representation} "
        "--with device={params.device} 2>&1 | tee {log}"


rule encode_evaluation:
    input:
        images=PATHS.images,
        background=PATHS.background,
        model=rules.train_model.output.model,
    output:
        evaluation=until_used(f"{RESULTS}/evaluations/{RUN}.h5"),
    log:
        f"{RESULTS}/logs/encode_evaluation/{RUN}.log",
    conda:
        "../envs/latents.yaml"
    threads: threads_of
    resources:
        gpu=GPU,
        mem_mb=growing(4000),
        runtime=growing(10),
    params:
        script=SCRIPTS.script("encode_evaluation"),
        job=JOBS.text(JOBS.encode_evaluation),
        device=DEVICE,
        expendable="--expendable" if IS_FRUGAL else "",
    shell:
        "{params.script} {params.job:q} --in images={input.images} background={input.background} "
        "model={input.model} --out evaluation={output.evaluation} "
        "--with device={params.device} {params.expendable} 2>&1 | tee {log}"


rule classify_variables:
    input:
        representations=PATHS.representations,
    output:
        variables=f"{RESULTS}/variables/{{cell}}.csv",
    log:
        f"{RESULTS}/logs/classify_variables/{{cell}}.log",
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("classify_variables"),
        job=JOBS.text(JOBS.classify_variables),
    shell:
        "{params.script} {params.job:q} --in representations={input.representations} "
        "--out variables={output.variables} 2>&1 | tee {log}"


rule describe_latents:
    input:
        representations=PATHS.representations,
    output:
        latents=f"{RESULTS}/latents/{{cell}}.csv",
    log:
        f"{RESULTS}/logs/describe_latents/{{cell}}.log",
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("describe_latents"),
        job=JOBS.text(JOBS.describe_latents),
    shell:
        "{params.script} {params.job:q} --in representations={input.representations} "
        "--out latents={output.latents} 2>&1 | tee {log}"


rule correlate_latents:
    input:
        representations=PATHS.representations,
    output:
        correlations=f"{RESULTS}/correlation_matrices/{{cell}}.csv",
    log:
        f"{RESULTS}/logs/correlate_latents/{{cell}}.log",
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("correlate_latents"),
        job=JOBS.text(JOBS.correlate_latents),
    shell:
        "{params.script} {params.job:q} --in representations={input.representations} "
        "--out correlations={output.correlations} 2>&1 | tee {log}"
