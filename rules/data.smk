rule prepare_dataset:
    output:
        images="results/datasets/{dataset}.h5",
    log:
        "results/logs/datasets/{dataset}.log",
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job(
            "prepare_dataset",
            {"dataset": wildcards.dataset},
            f"datasets/{wildcards.dataset}",
        ),
    shell:
        "python {SCRIPTS}/prepare_dataset.py {params.job:q} --out images={output.images} " + SHOW
