rule train_model:
    input:
        images=PATHS.images,
        background=PATHS.background,
    output:
        model=f"{RESULTS}/models/{RUN}/model.safetensors",
        history=f"{RESULTS}/models/{RUN}/history.csv",
        snapshots=[],
    log:
        f"{RESULTS}/logs/train_model/{RUN}.log",
    wildcard_constraints:
        cell="|".join(set(SETTINGS.sweeps) - set(SNAPSHOT_CELLS)) or "-",
    conda:
        "../envs/latents.yaml"
    threads: threads_of
    resources:
        gpu=GPU,
        mem_mb=growing(4000),
        runtime=lambda wildcards: training_minutes(SETTINGS.scale_of(wildcards.cell), gpu=GPU > 0),
    params:
        script=SCRIPTS.script("train_model"),
        job=JOBS.text(JOBS.train_model),
        device=DEVICE,
        state_every=SETTINGS.whole_scale["state_every"],
        states=PATHS.states,
    shell:
        "{params.script} {params.job:q} --in images={input.images} background={input.background} "
        "--out model={output.model} history={output.history} snapshots={output.snapshots} "
        "--with device={params.device} state_every={params.state_every} states={params.states} "
        "2>&1 | tee {log}"


# The same training, which also keeps how the latents correlate at chosen steps.
use rule train_model as train_model_with_snapshots with:
    output:
        model=f"{RESULTS}/models/{RUN}/model.safetensors",
        history=f"{RESULTS}/models/{RUN}/history.csv",
        snapshots=f"{RESULTS}/models/{RUN}/snapshots.csv",
    wildcard_constraints:
        cell="|".join(SNAPSHOT_CELLS) or "-",
