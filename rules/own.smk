# Representations made elsewhere: --config 'representations={mine: mine.npz}'
OWN = SETTINGS.options["representations"]
LEFT_OUT = SETTINGS.options["report_leaves_out"]
REPORTED = [name for name in registry("metrics") if name not in LEFT_OUT]


def own_file(wildcards):
    if not Path(OWN[wildcards.own]).exists():
        sys.exit(f"representations: {OWN[wildcards.own]} is not there")
    return OWN[wildcards.own]


rule report_representation:
    input:
        representation=own_file,
    output:
        report="results/own/{own}/report.csv",
        variables="results/own/{own}/variables.csv",
        heatmap="results/own/{own}/correlations.pdf",
        advice="results/own/{own}/advice.txt",
    log:
        "results/logs/own/{own}.log",
    wildcard_constraints:
        own="|".join(re.escape(name) for name in OWN) or "-",
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job(
            "report_representation",
            {
                "metrics": REPORTED,
                "pairs": SETTINGS.options["pairs"],
                "tolerance": SETTINGS.options["type_tolerance"],
                "trees": SCALE["trees"],
            },
            *(f"metrics/{name}" for name in REPORTED),
        ),
    shell:
        "python {SCRIPTS}/report_representation.py {params.job:q} "
        "--in representation={input.representation:q} --out report={output.report} "
        "variables={output.variables} heatmap={output.heatmap} advice={output.advice} " + SHOW
