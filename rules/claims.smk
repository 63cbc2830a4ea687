rule check_claim:
    input:
        tables=PATHS.tables_of_claim,
    output:
        finding=f"{RESULTS}/claims/{{claim}}.csv",
    log:
        f"{RESULTS}/logs/check_claim/{{claim}}.log",
    wildcard_constraints:
        claim="|".join(SETTINGS.claims),
    localrule: True
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("check_claim"),
        job=JOBS.text(JOBS.check_claim),
    shell:
        "{params.script} {params.job:q} --in tables={input.tables} "
        "--out finding={output.finding} 2>&1 | tee {log}"


rule gather_claims:
    input:
        findings=expand(f"{RESULTS}/claims/{{claim}}.csv", claim=SETTINGS.claims),
    output:
        claims=f"{RESULTS}/claims.csv",
    log:
        f"{RESULTS}/logs/gather_claims.log",
    localrule: True
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("gather_claims"),
        job=JOBS.text(JOBS.gather_claims),
    shell:
        "{params.script} {params.job:q} --in findings={input.findings} "
        "--out claims={output.claims} 2>&1 | tee {log}"


# The same table for the claims that can be tested on what is built, at the chosen scale.
use rule gather_claims as gather_built_claims with:
    input:
        findings=PATHS.built_findings,
    output:
        claims=claims_in_report("results/claims.csv", "Claims tested", "built_claims"),
    log:
        f"{RESULTS}/logs/gather_built_claims.log",


rule draw_claims:
    input:
        claims=rules.gather_claims.output.claims,
    output:
        pdf=claims_in_report(f"{RESULTS}/figures/claims.pdf", "All claims (PDF)"),
        png=claims_in_report(f"{RESULTS}/figures/claims.png", "All claims"),
        csv=claims_in_report(f"{RESULTS}/figures/claims.csv", "All claims (numbers)"),
        caption=f"{RESULTS}/figures/claims.txt",
    log:
        f"{RESULTS}/logs/draw_claims.log",
    localrule: True
    conda:
        "../envs/latents.yaml"
    params:
        script=SCRIPTS.script("draw_claims"),
        job=JOBS.text(JOBS.draw_claims),
    shell:
        "{params.script} {params.job:q} --in claims={input.claims} "
        "--out pdf={output.pdf} png={output.png} csv={output.csv} caption={output.caption} "
        "2>&1 | tee {log}"


use rule publish_figure as publish_claims with:
    input:
        drawn=rules.draw_claims.output,
    output:
        pdf="figures/claims.pdf",
        png="figures/claims.png",
        csv="figures/claims.csv",
        caption="figures/claims.txt",
    log:
        f"{RESULTS}/logs/publish_claims.log",
