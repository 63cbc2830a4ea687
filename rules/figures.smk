rule draw_figure:
    input:
        scores=PATHS.tables_of_figure("scores"),
        variables=PATHS.tables_of_figure("variables"),
        snapshots=PATHS.tables_of_figure("snapshots"),
        representations=PATHS.shown_representations,
    output:
        pdf=in_report(f"{RESULTS}/figures/{{figure}}.pdf", " (PDF)"),
        png=in_report(f"{RESULTS}/figures/{{figure}}.png"),
        csv=in_report(f"{RESULTS}/figures/{{figure}}.csv", " (numbers)"),
        caption=f"{RESULTS}/figures/{{figure}}.txt",
    log:
        f"{RESULTS}/logs/draw_figure/{{figure}}.log",
    localrule: True
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("draw_figure"),
        job=JOBS.text(JOBS.draw_figure),
    shell:
        "{params.script} {params.job:q} --in scores={input.scores} variables={input.variables} "
        "snapshots={input.snapshots} representations={input.representations} "
        "--out pdf={output.pdf} png={output.png} csv={output.csv} caption={output.caption} "
        "2>&1 | tee {log}"


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
    localrule: True
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("publish_figure"),
        job=JOBS.text(JOBS.publish_figure),
    shell:
        "{params.script} {params.job:q} --in drawn={input.drawn} "
        "--out pdf={output.pdf} png={output.png} csv={output.csv} caption={output.caption} "
        "2>&1 | tee {log}"
