import hashlib


def seed_of(wildcards, purpose):
    """Seed of a run's draws for one purpose: from its name, so no order of execution matters."""
    run = RUN.format(cell=wildcards.cell, strength=wildcards.strength, seed=wildcards.seed)
    name = f"{run} {purpose} {SETTINGS.options['images_seed']}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "little")


def encoding_job(wildcards):
    scale = scale_of(wildcards)
    values = {
        "variation": dataset_of(wildcards).get("variation"),
        "examples": scale["examples"],
        "images_seed": SETTINGS.options["images_seed"],
        "seed": seed_of(wildcards, "sampled"),
        "threads": scale["threads"],
    }
    return job("encode_representation", values, *model_modules(wildcards))


rule encode_representation:
    input:
        images=images_of,
        background=background_of,
        model=rules.train_model.output.model,
    output:
        representation=f"{RESULTS}/representations/{RUN}.h5",
    log:
        f"{RESULTS}/logs/encode_representation/{RUN}.log",
    conda:
        "../envs/latents.yaml"
    threads: lambda wildcards: scale_of(wildcards)["threads"]
    resources:
        gpu=GPU,
        mem_mb=growing(4000),
        runtime=growing(10),
    params:
        job=encoding_job,
    shell:
        "python {SCRIPTS}/encode_representation.py {params.job:q} --in images={input.images} "
        "background={input.background} model={input.model} --out representation={output.representation} "
        "--with device={DEVICE} " + SHOW


def evaluation_job(wildcards):
    scale = scale_of(wildcards)
    values = {
        "variation": dataset_of(wildcards).get("variation"),
        "training_examples": scale["training_examples"],
        "test_examples": scale["test_examples"],
        "images_seed": SETTINGS.options["images_seed"],
        "seed": seed_of(wildcards, "evaluation"),
        "threads": scale["threads"],
    }
    return job("encode_evaluation", values, *model_modules(wildcards))


rule encode_evaluation:
    input:
        images=images_of,
        background=background_of,
        model=rules.train_model.output.model,
    output:
        evaluation=until_used(f"{RESULTS}/evaluations/{RUN}.h5"),
    log:
        f"{RESULTS}/logs/encode_evaluation/{RUN}.log",
    conda:
        "../envs/latents.yaml"
    threads: lambda wildcards: scale_of(wildcards)["threads"]
    resources:
        gpu=GPU,
        mem_mb=growing(4000),
        runtime=growing(10),
    params:
        job=evaluation_job,
    shell:
        "python {SCRIPTS}/encode_evaluation.py {params.job:q} --in images={input.images} "
        "background={input.background} model={input.model} --out evaluation={output.evaluation} "
        "--with device={DEVICE} {EXPENDABLE} " + SHOW


rule classify_variables:
    input:
        representations=representations_of,
    output:
        variables=f"{RESULTS}/variables/{{cell}}.csv",
    log:
        f"{RESULTS}/logs/classify_variables/{{cell}}.log",
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job(
            "classify_variables",
            {"runs": runs_of(wildcards), "tolerance": SETTINGS.options["type_tolerance"]},
        ),
    shell:
        "python {SCRIPTS}/classify_variables.py {params.job:q} "
        "--in representations={input.representations} --out variables={output.variables} " + SHOW
