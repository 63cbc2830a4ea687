from latents.captions import Built
from latents.record import read_record
from latents.report_words import define_words

BUILT = Built(SETTINGS, Path(RESULTS))
define_words(BUILT)


report: "../report/workflow.rst"


def in_report(path, what=""):
    """A file of a figure, marked for `snakemake --report`.

    One label only: of two labels the report would make a switch where there are two figures.
    """

    def labels(wildcards):
        row = figure_row(wildcards)
        return {"figure": (row["paper"].partition(", ")[2] or row["title"]) + what}

    return report(
        path,
        caption="../report/figure.rst",
        category=lambda wildcards: figure_row(wildcards)["paper"].partition(", ")[0],
        subcategory=lambda wildcards: figure_row(wildcards)["plot"].replace("_", " ").capitalize(),
        labels=labels,
    )


def claims_in_report(path, what, caption="claims"):
    caption = f"../report/{caption}.rst"
    return report(path, caption=caption, category="Claims", labels={"claims": what})


def has_claims():
    """The table of the claims that could be tested is there, and of this scale."""
    path = Path("results/claims.csv")
    record = read_record(path) if path.exists() else None
    return record and record["job"]["values"]["scale_name"] == SETTINGS.options["scale"]


def built_files(wildcards):
    """Figures and sheets of datasets that are there, and claims that were tested."""
    sheets = [f"figures/datasets/{dataset}.pdf" for dataset in SETTINGS.datasets]
    found = [str(BUILT.picture(figure)) for figure in BUILT.figures]
    found += [sheet for sheet in sheets if Path(sheet).exists()]
    found += ["results/claims.csv"] if has_claims() else []
    if not found:
        sys.exit(f"No figure is in {RESULTS} yet; `make figures` builds them all")
    return found


# What a report can show without anything being built: snakemake built --report report.html
rule built:
    input:
        built_files,
