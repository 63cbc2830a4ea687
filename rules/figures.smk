# What a footer tells of a scale; the rest of it must not redraw a figure.
FOOTER = ("seeds", "steps", "network", "width", "batch_size", "learning_rate", "examples")


def figure_job(wildcards):
    row = SETTINGS.figures[wildcards.figure]
    cells = [SETTINGS.sweeps[cell] for cell in row["cells"]]
    shown = {
        "subject": ", ".join(cell["title"] for cell in cells),
        "strength_axis": cells[0]["axis"],
    }
    values = {
        "figure": wildcards.figure,
        "row": {**row, **shown},
        "scale_name": SETTINGS.options["scale"],
        "scale": {key: SETTINGS.scale_of(row["cells"][0])[key] for key in FOOTER},
        "paper": {key: SETTINGS.paper_scale_of(row["cells"][0])[key] for key in FOOTER},
    }
    return job("draw_figure", values, f"plots/{row['plot']}")


rule draw_figure:
    input:
        scores=lambda wildcards: [
            f"{RESULTS}/scores/{cell}/{metric}.csv"
            for cell in SETTINGS.figures[wildcards.figure]["cells"]
            for metric in SETTINGS.figures[wildcards.figure]["metrics"]
        ],
    output:
        pdf=f"{RESULTS}/figures/{{figure}}.pdf",
        csv=f"{RESULTS}/figures/{{figure}}.csv",
        caption=f"{RESULTS}/figures/{{figure}}.txt",
    log:
        f"{RESULTS}/logs/draw_figure/{{figure}}.log",
    conda:
        "../envs/latents.yaml"
    params:
        job=figure_job,
    shell:
        "python {SCRIPTS}/draw_figure.py {params.job:q} --in scores={input.scores} "
        "--out pdf={output.pdf} csv={output.csv} caption={output.caption} " + SHOW


# A scale never overwrites another one's results; only this copy changes with the chosen scale.
rule publish_figure:
    input:
        pdf=rules.draw_figure.output.pdf,
        csv=rules.draw_figure.output.csv,
        caption=rules.draw_figure.output.caption,
    output:
        pdf="figures/{figure}.pdf",
        csv="figures/{figure}.csv",
        caption="figures/{figure}.txt",
    log:
        f"{RESULTS}/logs/publish_figure/{{figure}}.log",
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job("publish_figure", {"scale_name": SETTINGS.options["scale"]}),
    shell:
        "python {SCRIPTS}/publish_figure.py {params.job:q} --in drawn_pdf={input.pdf} "
        "drawn_csv={input.csv} drawn_caption={input.caption} "
        "--out pdf={output.pdf} csv={output.csv} caption={output.caption} " + SHOW
