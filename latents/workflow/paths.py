"""Input files of every rule, from the wildcards of a job and the configuration."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latents.runtime.errors import Problem
from latents.runtime.record import read_record
from latents.workflow.config_files import Row
from latents.workflow.config_rows import metric_of
from latents.workflow.data_sources import chosen_files
from latents.workflow.registry import constant
from latents.workflow.settings import Settings

Wildcards = Any  # Snakemake's, with the wildcards of the job's outputs as attributes
RUN = "{cell}/strength_{strength}/seed_{seed}"


@dataclass(frozen=True)
class Paths:
    """Names of files below `results/`, as the rules write them.

    `place` is the folder in which a host workflow wants all of them; Snakemake adds it to the names
    of inputs and outputs, but whether a file exists is asked here.
    """

    settings: Settings
    place: Path = Path()

    @property
    def results(self) -> str:
        """The folder of the chosen scale."""
        return f"results/{self.settings.options['scale']}"

    @property
    def data(self) -> Path:
        """The folder of original files."""
        return Path(self.settings.options["data"])

    # Datasets

    def originals(self, dataset: str) -> list[Row]:
        """Return the files that a dataset is prepared from; none for a twin."""
        if self.source(dataset) == "twin":
            return []
        return chosen_files(self.settings.datasets[dataset], self.place / self.data)

    def source(self, dataset: str) -> str:
        """Return `original` or `twin`; end the workflow with a sentence where neither is there."""
        try:
            return self.settings.source_of(dataset, self.place)
        except Problem as problem:
            sys.exit(str(problem))

    def receipt(self, wildcards: Wildcards) -> list[str]:
        verified = any(is_verified(file) for file in self.originals(wildcards.dataset))
        return [f"results/originals/{wildcards.dataset}.json"] if verified else []

    def own_files(self, wildcards: Wildcards) -> list[str]:
        files = self.originals(wildcards.dataset)
        return [str(self.data / file["file"]) for file in files if not is_verified(file)]

    def dataset_of(self, wildcards: Wildcards) -> str:
        """Return the wildcard `dataset`, or the dataset of the cell."""
        dataset: str = wildcards.get("dataset") or self.settings.sweeps[wildcards.cell]["dataset"]
        return dataset

    def images(self, wildcards: Wildcards) -> str:
        """Return the prepared images of a dataset; a variation has those that it varies."""
        dataset = self.dataset_of(wildcards)
        return f"results/datasets/{self.settings.datasets[dataset].get('images', dataset)}.h5"

    def background(self, wildcards: Wildcards) -> list[str]:
        """Return the picture behind a variation's sprites, where it has one."""
        dataset = self.dataset_of(wildcards)
        row = self.settings.datasets[dataset]
        has_one = "variation" in row and "originals" in row
        return [f"results/datasets/{dataset}.h5"] if has_one else []

    # Runs

    def of_runs(self, cell: str, folder: str, file: str) -> list[str]:
        """Return `results/<scale>/<folder>/<run><file>` for every run of a cell."""
        pattern = f"{self.results}/{folder}/{RUN}{file}"
        runs = self.settings.runs(cell)
        return [pattern.format(cell=cell, strength=text, seed=seed) for text, seed in runs]

    def representations(self, wildcards: Wildcards) -> list[str]:
        return self.of_runs(wildcards.cell, "representations", ".h5")

    def scores_of_runs(self, wildcards: Wildcards) -> list[str]:
        return self.of_runs(wildcards.cell, "scores", f"/{wildcards.metric}.csv")

    def snapshots_of_runs(self, wildcards: Wildcards) -> list[str]:
        return self.of_runs(wildcards.cell, "models", "/snapshots.csv")

    def states(self, wildcards: Wildcards, output: Any) -> str:
        """Return the folder of a training's resume states, beside the folder of models."""
        return str(Path(output.model).parents[4] / "states" / RUN.format(**wildcards))

    # Tables and figures

    def correlated_scores(self, wildcards: Wildcards) -> list[str]:
        row = self.settings.correlations[wildcards.correlation]
        metrics = sorted({metric_of(score, "") for score in (*row["rows"], *row["columns"])})
        return [self.scores(cell, metric) for cell in row["cells"] for metric in metrics]

    def scores(self, cell: str, metric: str) -> str:
        return f"{self.results}/scores/{cell}/{metric}.csv"

    def tables_of_figure(self, kind: str) -> Callable[[Wildcards], list[str]]:
        """Return the input function for the tables of one kind that a figure's plot asks for."""

        def files(wildcards: Wildcards) -> list[str]:
            row = self.settings.figures[wildcards.figure]
            if kind not in constant("figures/plots", row["plot"], "INPUTS"):
                return []
            if kind == "scores":
                return [self.scores(cell, name) for cell in row["cells"] for name in row["metrics"]]
            return [f"{self.results}/{kind}/{cell}.csv" for cell in row["cells"]]

        return files

    def shown_runs(self, figure: str) -> list[tuple[str, str, int]]:
        """Return (cell, strength, seed) of the runs among which a figure of one model chooses."""
        row = self.settings.figures[figure]
        if "representations" not in constant("figures/plots", row["plot"], "INPUTS"):
            return []
        return [
            (cell, strength, seed)
            for cell in row["cells"]
            for strength, seed in self.settings.runs(cell)
            if self.settings.strengths(cell)[strength] == row["strength"]
        ]

    def shown_representations(self, wildcards: Wildcards) -> list[str]:
        pattern = f"{self.results}/representations/{RUN}.h5"
        runs = self.shown_runs(wildcards.figure)
        return [pattern.format(cell=cell, strength=text, seed=seed) for cell, text, seed in runs]

    # Claims

    def table_names(self, claim: str) -> list[str]:
        """Return the tables that a claim's terms are read from, without folder and suffix."""
        row = self.settings.claims[claim]
        return sorted(
            {
                table.format(cell=row["cell"], **term)
                for term in row["terms"].values()
                for table in constant("claims/terms", term["of"], "TABLES")
            }
        )

    def tables_of_claim(self, wildcards: Wildcards) -> list[str]:
        return [f"{self.results}/{name}.csv" for name in self.table_names(wildcards.claim)]

    def built_findings(self, wildcards: Wildcards) -> list[str]:
        """Return the findings of claims whose tables exist, so that nothing is trained for them."""
        tables = {
            claim: [self.place / self.results / f"{name}.csv" for name in self.table_names(claim)]
            for claim in self.settings.claims
        }
        built = [claim for claim, paths in tables.items() if all(p.exists() for p in paths)]
        if not built:
            sys.exit(
                f"No claim has its tables in {self.results} yet; `make claims` builds them all"
            )
        return [f"{self.results}/claims/{claim}.csv" for claim in built]

    # Reports and diagnoses

    def built_files(self, wildcards: Wildcards) -> list[str]:
        """Return the figures, contact sheets and claims that exist."""
        figures = [f"{self.results}/figures/{f}.png" for f in (*self.settings.figures, "claims")]
        sheets = [f"figures/datasets/{dataset}.pdf" for dataset in self.settings.datasets]
        found = [path for path in (*figures, *sheets) if (self.place / path).exists()]
        found += ["results/claims.csv"] if self.has_claims() else []
        if not found:
            sys.exit(f"No figure is in {self.results} yet; `make figures` builds them all")
        return found

    def has_claims(self) -> bool:
        """Return whether the table of tested claims is there, at the chosen scale."""
        record = read_record(self.place / "results/claims.csv")
        scale = self.settings.options["scale"]
        return record is not None and record["job"]["values"]["scale_name"] == scale

    def diagnosed(self, wildcards: Wildcards) -> str:
        """Return the user's file of a representation."""
        path: str = self.settings.options["representations"][wildcards.own]
        if not (self.place / path).exists():
            sys.exit(f"representations: {path} is not there")
        return path


def is_verified(file: Row) -> bool:
    """Return whether a file is checked by a receipt; any other is the user's, and a plain input."""
    return "url" in file or "digest" in file
