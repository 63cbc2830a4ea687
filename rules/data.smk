PREPARED = [name for name, row in SETTINGS.datasets.items() if "originals" in row]


# Compute nodes often have no network, so downloads run where Snakemake runs.
rule obtain_originals:
    output:
        receipt="results/originals/{dataset}.json",
    log:
        "results/logs/originals/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(PREPARED),
    localrule: True
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("obtain_originals"),
        job=JOBS.text(JOBS.obtain_originals),
    shell:
        "{params.script} {params.job:q} --out receipt={output.receipt} 2>&1 | tee {log}"


rule prepare_dataset:
    input:
        receipt=PATHS.receipt,
        own=PATHS.own_files,
    output:
        images="results/datasets/{dataset}.h5",
    log:
        "results/logs/datasets/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(PREPARED),
    conda:
        "../envs/latents.yaml"
    resources:
        mem_mb=growing(4000),
    params:
        script=SCRIPTS.script("prepare_dataset"),
        job=JOBS.text(JOBS.prepare_dataset),
        folder=lambda wildcards: str(PATHS.place / PATHS.data),
    shell:
        "{params.script} {params.job:q} --in receipt={input.receipt} own={input.own:q} "
        "--out images={output.images} --with folder={params.folder:q} 2>&1 | tee {log}"


rule draw_contact_sheet:
    input:
        images=PATHS.images,
        background=PATHS.background,
    output:
        pdf=sheet_in_report("figures/datasets/{dataset}.pdf", " (PDF)"),
        png=sheet_in_report("figures/datasets/{dataset}.png"),
    log:
        "results/logs/draw_contact_sheet/{dataset}.log",
    localrule: True
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("draw_contact_sheet"),
        job=JOBS.text(JOBS.draw_contact_sheet),
    shell:
        "{params.script} {params.job:q} --in images={input.images} background={input.background} "
        "--out pdf={output.pdf} png={output.png} 2>&1 | tee {log}"
