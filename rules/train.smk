SNAPSHOT_CELLS = [cell for cell, row in SETTINGS.sweeps.items() if "snapshots" in row]

# A run's path inside a shell command, where its wildcards are known by another name.
STATES = re.sub(r"{(\w+)}", r"{wildcards.\1}", f"{RESULTS}/states/{RUN}")


def snapshot_steps(wanted, steps):
    """Equidistant steps, the last one included; fewer where the budget is short."""
    count = min(wanted, steps)
    return sorted({round(steps * (i + 1) / count) for i in range(count)})


def training_job(wildcards):
    row, scale = cell_of(wildcards), scale_of(wildcards)
    strength = SETTINGS.strengths(wildcards.cell)[wildcards.strength]
    variation = dataset_of(wildcards).get("variation")
    budget = ("steps", "batch_size", "learning_rate", "adam_betas", "adam_epsilon")
    network = ("network", "width", "latents", "initialisation", "memory_layout")
    values = {
        "name": RUN.format(**wildcards),
        "dataset": row["dataset"],
        "variation": variation,
        "variation_order": SETTINGS.options["variation_order"] if variation else "device",
        "network": {key: scale[key] for key in network},
        "objective": {
            "name": row["objective"],
            "options": {row["strength"]: strength, **row.get("options", {})},
            "prior": {"name": row["prior"], "options": row.get("prior_options", {})},
        },
        "budget": {key: scale[key] for key in budget},
        "seed": int(wildcards.seed),
        "threads": scale["threads"],
        "snapshots_of": None,
    }
    if "snapshots" in row:
        examples = {
            "examples": scale["examples"],
            "images_seed": SETTINGS.options["images_seed"],
        }
        steps = snapshot_steps(row["snapshots"], scale["steps"])
        values["snapshots_of"] = {"steps": steps, "examples": examples}
    objective = f"objectives/{row['objective']}"
    return job("train_model", values, objective, *model_modules(wildcards))


rule train_model:
    input:
        images=images_of,
        background=background_of,
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
    threads: lambda wildcards: scale_of(wildcards)["threads"]
    resources:
        gpu=GPU,
        mem_mb=growing(4000),
        runtime=lambda wildcards: training_minutes(scale_of(wildcards), gpu=GPU > 0),
    params:
        job=training_job,
    shell:
        "python {SCRIPTS}/train_model.py {params.job:q} --in images={input.images} "
        "background={input.background} "
        "--out model={output.model} history={output.history} snapshots={output.snapshots} "
        "--with device={DEVICE} state_every={STATE_EVERY} "
        "states=" + STATES + " " + SHOW


# The same training, which also looks at the latents at chosen steps.
use rule train_model as train_model_with_snapshots with:
    output:
        model=f"{RESULTS}/models/{RUN}/model.safetensors",
        history=f"{RESULTS}/models/{RUN}/history.csv",
        snapshots=f"{RESULTS}/models/{RUN}/snapshots.csv",
    wildcard_constraints:
        cell="|".join(SNAPSHOT_CELLS) or "-",
