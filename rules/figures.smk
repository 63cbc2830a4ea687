# What a footer tells of a scale; the rest of it must not redraw a figure.
FOOTER = ("seeds", "steps", "network", "width", "batch_size", "learning_rate", "examples")


def figure_row(wildcards):
    return SETTINGS.figures[wildcards.figure]


def inputs_of(kind):
    """Files of one kind that a figure's plot asks for."""

    def files(wildcards):
        row = figure_row(wildcards)
        if kind not in constant("plots", row["plot"], "INPUTS"):
            return []
        if kind == "scores":
            return [
                f"{RESULTS}/scores/{cell}/{metric}.csv"
                for cell in row["cells"]
                for metric in row["metrics"]
            ]
        return [f"{RESULTS}/{kind}/{cell}.csv" for cell in row["cells"]]

    return files


def shown_runs(wildcards):
    """(cell, strength, seed) among which a figure of one model chooses."""
    row = figure_row(wildcards)
    if "representations" not in constant("plots", row["plot"], "INPUTS"):
        return []
    return [
        (cell, strength, seed)
        for cell in row["cells"]
        for strength, seed in SETTINGS.runs(cell)
        if SETTINGS.strengths(cell)[strength] == row["strength"]
    ]


def figure_job(wildcards):
    row = figure_row(wildcards)
    cells = [SETTINGS.sweeps[cell] for cell in row["cells"]]
    shown = {
        "subject": ", ".join(cell["title"] for cell in cells),
        "strength_axis": cells[0]["axis"] if cells else "",
        "error_bars": SETTINGS.options["error_bars"],
        "panels": [panel_of(panel) for panel in row.get("panels", [])],
    }
    scales = {"scale": {}, "paper": {}}
    if cells:
        scales = {
            "scale": {key: SETTINGS.scale_of(row["cells"][0])[key] for key in FOOTER},
            "paper": {key: SETTINGS.paper_scale_of(row["cells"][0])[key] for key in FOOTER},
        }
    values = {
        "figure": wildcards.figure,
        "row": {**row, **shown},
        "runs": [
            {"cell": cell, "strength": SETTINGS.strengths(cell)[strength], "seed": seed}
            for cell, strength, seed in shown_runs(wildcards)
        ],
        "tolerance": SETTINGS.options["type_tolerance"],
        "scale_name": SETTINGS.options["scale"],
        **scales,
    }
    return job("draw_figure", values, f"plots/{row['plot']}")


def panel_of(panel):
    """A panel of a cell knows the name of the cell's strength."""
    if "cell" not in panel:
        return panel
    axis = SETTINGS.sweeps[panel["cell"]]["axis"]
    return {**panel, "strength_axis": axis, "axis": panel.get("axis", axis)}


rule draw_figure:
    input:
        scores=inputs_of("scores"),
        variables=inputs_of("variables"),
        snapshots=inputs_of("snapshots"),
        representations=lambda wildcards: [
            f"{RESULTS}/representations/{RUN}.h5".format(cell=cell, strength=strength, seed=seed)
            for cell, strength, seed in shown_runs(wildcards)
        ],
    output:
        pdf=in_report(f"{RESULTS}/figures/{{figure}}.pdf", " (PDF)"),
        png=in_report(f"{RESULTS}/figures/{{figure}}.png"),
        csv=in_report(f"{RESULTS}/figures/{{figure}}.csv", " (numbers)"),
        caption=f"{RESULTS}/figures/{{figure}}.txt",
    log:
        f"{RESULTS}/logs/draw_figure/{{figure}}.log",
    conda:
        "../envs/latents.yaml"
    params:
        job=figure_job,
    shell:
        "python {SCRIPTS}/draw_figure.py {params.job:q} --in scores={input.scores} "
        "variables={input.variables} snapshots={input.snapshots} "
        "representations={input.representations} --out pdf={output.pdf} png={output.png} "
        "csv={output.csv} caption={output.caption} " + SHOW


# A scale never overwrites another one's results; only this copy changes with the chosen scale.
rule publish_figure:
    input:
        drawn=rules.draw_figure.output,
    output:
        pdf="figures/{figure}.pdf",
        png="figures/{figure}.png",
        csv="figures/{figure}.csv",
        caption="figures/{figure}.txt",
    log:
        f"{RESULTS}/logs/publish_figure/{{figure}}.log",
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job("publish_figure", {"scale_name": SETTINGS.options["scale"]}),
    shell:
        "python {SCRIPTS}/publish_figure.py {params.job:q} --in drawn={input.drawn} "
        "--out pdf={output.pdf} png={output.png} csv={output.csv} caption={output.caption} " + SHOW
