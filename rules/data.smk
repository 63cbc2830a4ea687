from latents.sources import chosen_files, listing_digest

DATA = Path(SETTINGS.options["data"])
PREPARED = [name for name, row in SETTINGS.datasets.items() if "originals" in row]


def source_of(dataset):
    try:
        return SETTINGS.source_of(dataset)
    except Problem as problem:
        sys.exit(str(problem))


def originals_of(dataset):
    """The files a dataset is prepared from; none for a twin."""
    if source_of(dataset) == "twin":
        return []
    return chosen_files(SETTINGS.datasets[dataset], DATA)


def receipt_of(wildcards):
    verified = any(is_verified(file) for file in originals_of(wildcards.dataset))
    return [f"results/originals/{wildcards.dataset}.json"] if verified else []


def is_verified(file):
    """Files with an address or a digest are; any others are the user's, and plain inputs."""
    return "url" in file or "digest" in file


def own_files(wildcards):
    return [DATA / f["file"] for f in originals_of(wildcards.dataset) if not is_verified(f)]


def preparation_job(wildcards):
    row = SETTINGS.datasets[wildcards.dataset]
    source = source_of(wildcards.dataset)
    reader = row.get("reader", wildcards.dataset)
    maker = f"twins/{wildcards.dataset}" if source == "twin" else f"datasets/{reader}"
    files = [file["file"] for file in originals_of(wildcards.dataset)]
    values = {"maker": maker.replace("/", "."), "files": files}
    if source == "original":
        values |= {"options": row.get("options", {}), "listing": listing_of(reader, files)}
    return job("prepare_dataset", values, maker)


def listing_of(reader, files):
    """Content of the pictures that a table names: the table alone does not tell that one changed."""
    return listing_digest(DATA / files[0]) if reader == "own_folder" else None


def dataset_name(wildcards):
    """Of the wildcard `dataset`, or of the cell's row."""
    return wildcards.get("dataset") or cell_of(wildcards)["dataset"]


def images_of(wildcards):
    """The prepared images of a dataset; a variation's are those it is made of."""
    dataset = dataset_name(wildcards)
    return f"results/datasets/{SETTINGS.datasets[dataset].get('images', dataset)}.h5"


def background_of(wildcards):
    """The picture behind a variation's sprites, where it has one."""
    dataset = dataset_name(wildcards)
    row = SETTINGS.datasets[dataset]
    has_one = "variation" in row and "originals" in row
    return [f"results/datasets/{dataset}.h5"] if has_one else []


def located(files):
    return [{**file, "path": str(DATA / file["file"])} for file in files]


rule obtain_originals:
    output:
        receipt="results/originals/{dataset}.json",
    log:
        "results/logs/originals/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(PREPARED),
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job(
            "obtain_originals", {"originals": located(originals_of(wildcards.dataset))}
        ),
    shell:
        "python {SCRIPTS}/obtain_originals.py {params.job:q} --out receipt={output.receipt} " + SHOW


rule prepare_dataset:
    input:
        receipt=receipt_of,
        own=own_files,
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
        job=preparation_job,
    shell:
        "python {SCRIPTS}/prepare_dataset.py {params.job:q} --in receipt={input.receipt} "
        "own={input.own:q} --out images={output.images} --with folder={DATA:q} " + SHOW


def sheet_job(wildcards):
    row = SETTINGS.datasets[wildcards.dataset]
    variation = row.get("variation")
    variations = [f"variations/{variation}"] if variation else []
    return job("draw_contact_sheet", {"title": row["title"], "variation": variation}, *variations)


rule draw_contact_sheet:
    input:
        images=images_of,
        background=background_of,
    output:
        pdf=report(
            "figures/datasets/{dataset}.pdf",
            caption="../report/dataset.rst",
            category="Datasets",
            labels={"dataset": "{dataset}"},
        ),
    log:
        "results/logs/draw_contact_sheet/{dataset}.log",
    conda:
        "../envs/latents.yaml"
    params:
        job=sheet_job,
    shell:
        "python {SCRIPTS}/draw_contact_sheet.py {params.job:q} --in images={input.images} "
        "background={input.background} --out pdf={output.pdf} " + SHOW
