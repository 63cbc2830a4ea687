"""Values of every rule's jobs: one method per script, named like it.

A method takes the wildcards of a job and returns its work: the values that the script's function is
called with, and the modules that it loads by name.
"""

from typing import Any

from latents.workflow.config_files import Row
from latents.workflow.job_text import Work
from latents.workflow.paths import Wildcards
from latents.workflow.registry import registry
from latents.workflow.run_values import RunValues
from latents.workflow.settings import SCALES

# What a footer says of a scale; the rest of it must not redraw a figure.
FOOTER = ("seeds", "steps", "network", "width", "batch_size", "learning_rate", "examples")


class JobValues(RunValues):
    """Jobs of datasets and runs, and of the tables, figures and claims made from them."""

    def classify_variables(self, wildcards: Wildcards) -> Work:
        return Work(self._typed_runs(wildcards))

    def describe_latents(self, wildcards: Wildcards) -> Work:
        return Work(self._typed_runs(wildcards))

    def correlate_latents(self, wildcards: Wildcards) -> Work:
        return Work({"runs": self._runs(wildcards)})

    def gather_scores(self, wildcards: Wildcards) -> Work:
        return Work({"runs": self._runs(wildcards)})

    def score_metric(self, wildcards: Wildcards) -> Work:
        values = {"metric": wildcards.metric, "runs": self._runs(wildcards), **self.pairs()}
        return Work(values, f"evaluation/metrics/{wildcards.metric}")

    def score_run(self, wildcards: Wildcards) -> Work:
        values = {
            "metric": wildcards.metric,
            **self.pairs(),
            **self.tolerance(),
            "seed": self.seed(wildcards, wildcards.metric),
            "trees": self.settings.scale_of(wildcards.cell)["trees"],
        }
        return Work(values, f"evaluation/metrics/{wildcards.metric}")

    def correlate_scores(self, wildcards: Wildcards) -> Work:
        row = self.settings.correlations[wildcards.correlation]
        values = {key: row[key] for key in ("rows", "columns", "representation")}
        seed = self.settings.options["images_seed"]
        return Work({**values, "seed": seed})

    def _typed_runs(self, wildcards: Wildcards) -> Row:
        return {"runs": self._runs(wildcards), **self.tolerance()}

    def _runs(self, wildcards: Wildcards) -> Row:
        """Return which runs a cell has; scripts list them in the order of their files."""
        row = self.settings.sweeps[wildcards.cell]
        return {
            "cell": wildcards.cell,
            "dataset": row["dataset"],
            "study_method": row.get("study_method"),
            "strengths": row["strengths"],
            "seeds": self.settings.scale_of(wildcards.cell)["seeds"],
        }

    def draw_figure(self, wildcards: Wildcards) -> Work:
        row = self.settings.figures[wildcards.figure]
        runs = self.paths.shown_runs(wildcards.figure)
        values = {
            "figure": wildcards.figure,
            "row": self._figure_row(row),
            "runs": [
                {"cell": cell, "strength": self.settings.strengths(cell)[text], "seed": seed}
                for cell, text, seed in runs
            ],
            **self.tolerance(),
            **self.scale_name(),
            **self._scales_of_figure(row),
        }
        return Work(values, f"figures/plots/{row['plot']}")

    def _figure_row(self, row: Row) -> Row:
        """Return a figure's row with what it shows of its cells."""
        cells = [self.settings.sweeps[cell] for cell in row["cells"]]
        return {
            **row,
            "subject": ", ".join(cell["title"] for cell in cells),
            "strength_axis": cells[0]["axis"] if cells else "",
            "error_bars": self.settings.options["error_bars"],
            "panels": [self._panel(panel) for panel in row.get("panels", [])],
        }

    def _panel(self, panel: Row) -> Row:
        """Return a panel; one of a cell knows the name of the cell's strength."""
        if "cell" not in panel:
            return panel
        axis = self.settings.sweeps[panel["cell"]]["axis"]
        return {**panel, "strength_axis": axis, "axis": panel.get("axis", axis)}

    def _scales_of_figure(self, row: Row) -> Row:
        if not row["cells"]:
            return {"scale": {}, "paper": {}}
        made, paper = (
            scale_of(row["cells"][0])
            for scale_of in (self.settings.scale_of, self.settings.paper_scale_of)
        )
        return {"scale": _footer(made), "paper": _footer(paper) if "paper" in row else {}}

    def publish_figure(self, wildcards: Wildcards) -> Work:
        return Work(self.scale_name())

    def export_crate(self, wildcards: Wildcards) -> Work:
        by_value = self.settings.options["crate_by_value"]
        return Work({"by_value": by_value})

    def check_claim(self, wildcards: Wildcards) -> Work:
        row, options = self.settings.claims[wildcards.claim], self.settings.options
        values = {
            "claim": wildcards.claim,
            "row": row,
            "table_names": self.paths.table_names(wildcards.claim),
            **self.scale_name(),
            "expected": self._is_expected(row),
            "standards": {
                key: options[f"claim_{key}"] for key in ("level", "permutations", "seeds")
            },
        }
        terms = sorted({f"claims/terms/{term['of']}" for term in row["terms"].values()})
        return Work(values, f"claims/criteria/{row['test']}", *terms)

    def _is_expected(self, row: Row) -> bool:
        """Return whether a claim can be expected to hold here; no scale of one's own is."""
        scale = self.settings.options["scale"]
        return scale in SCALES and SCALES.index(scale) >= SCALES.index(row["expected_from"])

    def gather_claims(self, wildcards: Wildcards) -> Work:
        return Work(self.scale_name())

    def draw_claims(self, wildcards: Wildcards) -> Work:
        values = {
            **self.scale_name(),
            "scale": _footer(self.settings.whole_scale),
            "paper": _footer(self.settings.paper),
            "level": self.settings.options["claim_level"],
        }
        return Work(values)

    def diagnose_representation(self, wildcards: Wildcards) -> Work:
        left_out = self.settings.options["diagnosis_leaves_out"]
        metrics = [name for name in registry("evaluation/metrics") if name not in left_out]
        values = {"metrics": metrics, **self.pairs(), **self.tolerance()}
        values |= {"trees": self.settings.whole_scale["trees"]}
        modules = (f"evaluation/metrics/{name}" for name in metrics)
        return Work(values, *modules)


def _footer(scale: Row) -> dict[str, Any]:
    return {key: scale[key] for key in FOOTER}
