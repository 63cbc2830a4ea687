# Representations made elsewhere: latents diagnose mine.npz
rule diagnose_representation:
    input:
        representation=PATHS.diagnosed,
    output:
        scores="results/diagnoses/{own}/scores.csv",
        variables="results/diagnoses/{own}/variables.csv",
        heatmap="results/diagnoses/{own}/correlations.pdf",
        advice="results/diagnoses/{own}/advice.txt",
    log:
        "results/logs/diagnoses/{own}.log",
    wildcard_constraints:
        own="|".join(re.escape(name) for name in SETTINGS.options["representations"]) or "-",
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("diagnose_representation"),
        job=JOBS.text(JOBS.diagnose_representation),
    shell:
        "{params.script} {params.job:q} --in representation={input.representation:q} "
        "--out scores={output.scores} variables={output.variables} heatmap={output.heatmap} "
        "advice={output.advice} 2>&1 | tee {log}"
