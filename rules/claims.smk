SCALES = ("smoke", "laptop", "paper")  # in the order in which claims can be expected to hold


def names_of_tables(claim):
    """The tables that a claim's terms are read from, by their path without folder and suffix."""
    row = SETTINGS.claims[claim]
    return sorted(
        {
            table.format(cell=row["cell"], **term)
            for term in row["terms"].values()
            for table in constant("terms", term["of"], "TABLES")
        }
    )


def tables_of(claim):
    return [f"{RESULTS}/{name}.csv" for name in names_of_tables(claim)]


def is_expected(row):
    """Scales of one's own are taken for the smallest."""
    scale = SETTINGS.options["scale"]
    return scale in SCALES and SCALES.index(scale) >= SCALES.index(row["expected_from"])


def claim_job(wildcards):
    row = SETTINGS.claims[wildcards.claim]
    values = {
        "claim": wildcards.claim,
        "row": row,
        "table_names": names_of_tables(wildcards.claim),
        "scale_name": SETTINGS.options["scale"],
        "expected": is_expected(row),
        "standards": {
            key: SETTINGS.options[f"claim_{key}"] for key in ("level", "permutations", "seeds")
        },
    }
    kinds = sorted({term["of"] for term in row["terms"].values()})
    return job("check_claim", values, f"claims/{row['test']}", *(f"terms/{k}" for k in kinds))


rule check_claim:
    input:
        tables=lambda wildcards: tables_of(wildcards.claim),
    output:
        finding=f"{RESULTS}/claims/{{claim}}.csv",
    log:
        f"{RESULTS}/logs/check_claim/{{claim}}.log",
    wildcard_constraints:
        claim="|".join(SETTINGS.claims),
    conda:
        "../envs/latents.yaml"
    params:
        job=claim_job,
    shell:
        "python {SCRIPTS}/check_claim.py {params.job:q} --in tables={input.tables} "
        "--out finding={output.finding} " + SHOW


def gathering_job(wildcards):
    return job("gather_claims", {"scale_name": SETTINGS.options["scale"]})


rule gather_claims:
    input:
        findings=expand(f"{RESULTS}/claims/{{claim}}.csv", claim=SETTINGS.claims),
    output:
        claims=f"{RESULTS}/claims.csv",
    log:
        f"{RESULTS}/logs/gather_claims.log",
    conda:
        "../envs/latents.yaml"
    params:
        job=gathering_job,
    shell:
        "python {SCRIPTS}/gather_claims.py {params.job:q} --in findings={input.findings} "
        "--out claims={output.claims} " + SHOW


def built_findings(wildcards):
    """Of the claims whose tables are all there, so that nothing is trained for them."""
    built = [c for c in SETTINGS.claims if all(Path(t).exists() for t in tables_of(c))]
    if not built:
        sys.exit(f"No claim has its tables in {RESULTS} yet; `make claims` builds them all")
    return [f"{RESULTS}/claims/{claim}.csv" for claim in built]


# The same table of what is there already, at the chosen scale.
use rule gather_claims as gather_built_claims with:
    input:
        findings=built_findings,
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
    conda:
        "../envs/latents.yaml"
    params:
        job=lambda wildcards: job(
            "draw_claims",
            {
                "scale_name": SETTINGS.options["scale"],
                "scale": {key: SCALE[key] for key in FOOTER},
                "paper": {key: SETTINGS.paper[key] for key in FOOTER},
                "level": SETTINGS.options["claim_level"],
            },
        ),
    shell:
        "python {SCRIPTS}/draw_claims.py {params.job:q} --in claims={input.claims} "
        "--out pdf={output.pdf} png={output.png} csv={output.csv} caption={output.caption} " + SHOW


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
