"""Values of the jobs that make datasets, models and what is computed from a model."""

import hashlib

from latents.workflow.config_files import Row
from latents.workflow.data_sources import listing_digest
from latents.workflow.job_text import JobText, Work
from latents.workflow.paths import RUN, Wildcards

BUDGET = ("steps", "batch_size", "learning_rate", "adam_betas", "adam_epsilon")
NETWORK = ("network", "width", "latents", "initialisation", "memory_layout")


class RunValues(JobText):
    """Jobs of datasets and of single runs."""

    def obtain_originals(self, wildcards: Wildcards) -> Work:
        folder = self.paths.place / self.paths.data
        files = self.paths.originals(wildcards.dataset)
        located = [{**file, "path": str(folder / file["file"])} for file in files]
        return Work({"originals": located})

    def prepare_dataset(self, wildcards: Wildcards) -> Work:
        dataset, row = wildcards.dataset, self.settings.datasets[wildcards.dataset]
        source = self.paths.source(dataset)
        reader = row.get("reader", dataset)
        maker = f"data/twins/{dataset}" if source == "twin" else f"data/readers/{reader}"
        files = [file["file"] for file in self.paths.originals(dataset)]
        values: Row = {"maker": maker, "files": files}
        if source == "original":
            values |= {"options": row.get("options", {}), "listing": self._listing(reader, files)}
        return Work(values, maker)

    def _listing(self, reader: str, files: list[str]) -> str | None:
        """Return a digest of the pictures that a table names, which the table itself lacks."""
        table = self.paths.place / self.paths.data / files[0]
        return listing_digest(table) if reader == "own_folder" else None

    def draw_contact_sheet(self, wildcards: Wildcards) -> Work:
        row = self.settings.datasets[wildcards.dataset]
        values = {"title": row["title"], "variation": row.get("variation")}
        return Work(values, *_variation_module(row))

    def train_model(self, wildcards: Wildcards) -> Work:
        row, scale = self.settings.sweeps[wildcards.cell], self.settings.scale_of(wildcards.cell)
        variation = self._dataset(wildcards).get("variation")
        order = self.settings.options["variation_order"] if variation else "device"
        values = {
            "name": RUN.format(**wildcards),
            "dataset": row["dataset"],
            "variation": variation,
            "variation_order": order,
            "network": {key: scale[key] for key in NETWORK},
            "objective": {
                "name": row["objective"],
                "options": {row["strength"]: self._strength(wildcards), **row.get("options", {})},
                "prior": {"name": row["prior"], "options": row.get("prior_options", {})},
            },
            "budget": {key: scale[key] for key in BUDGET},
            "seed": int(wildcards.seed),
            "threads": scale["threads"],
            "snapshots_of": self._snapshots(row, scale),
        }
        modules = [f"models/objectives/{row['objective']}", *self._model_modules(wildcards)]
        modules += ["encoding/snapshots"] if values["snapshots_of"] else []
        return Work(values, *modules)

    def _snapshots(self, row: Row, scale: Row) -> Row | None:
        """Return at which steps a training takes snapshots, and of which examples."""
        if "snapshots" not in row:
            return None
        images_seed = self.settings.options["images_seed"]
        steps = snapshot_steps(row["snapshots"], scale["steps"])
        return {"steps": steps, "examples": scale["examples"], "images_seed": images_seed}

    def encode_representation(self, wildcards: Wildcards) -> Work:
        values = {"examples": self.settings.scale_of(wildcards.cell)["examples"]}
        values |= self._encoding(wildcards, "seed", "sampled")
        return Work(values, *self._model_modules(wildcards))

    def encode_evaluation(self, wildcards: Wildcards) -> Work:
        scale = self.settings.scale_of(wildcards.cell)
        values = {key: scale[key] for key in ("training_examples", "test_examples")}
        values |= self._encoding(wildcards, "seed", "evaluation")
        return Work(values, *self._model_modules(wildcards))

    def score_posteriors(self, wildcards: Wildcards) -> Work:
        metric = wildcards.metric
        values = {"metric": metric, "factors": self._dataset(wildcards).get("chen_factors")}
        values |= self._mixture(wildcards) | self._encoding(wildcards, "noise_seed", metric)
        modules = (f"evaluation/metrics/{metric}", *self._model_modules(wildcards))
        return Work(values, *modules)

    def decompose_elbo(self, wildcards: Wildcards) -> Work:
        run = {"cell": wildcards.cell, "seed": int(wildcards.seed)}
        values = run | {"strength": self._strength(wildcards)}
        values |= self._mixture(wildcards) | self._encoding(wildcards, "noise_seed", "sampled")
        return Work(values, *self._model_modules(wildcards))

    def _encoding(self, wildcards: Wildcards, seed: str, purpose: str) -> Row:
        """Return what every encoding of images is called with; `seed` names its argument."""
        return {
            "variation": self._dataset(wildcards).get("variation"),
            "images_seed": self.settings.options["images_seed"],
            seed: self.seed(wildcards, purpose),
            "threads": self.settings.scale_of(wildcards.cell)["threads"],
        }

    def _mixture(self, wildcards: Wildcards) -> Row:
        """Return of how many images the aggregate posterior is, and how often it is sampled."""
        scale = self.settings.scale_of(wildcards.cell)
        return {
            "subset": scale["decomposition_images"],
            "samples": scale["decomposition_samples"],
        }

    def seed(self, wildcards: Wildcards, purpose: str) -> int:
        """Return the seed of a run's draws for one purpose, from its name: no order matters."""
        name = f"{RUN.format(**wildcards)} {purpose} {self.settings.options['images_seed']}"
        return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "little")

    def _strength(self, wildcards: Wildcards) -> float:
        return self.settings.strengths(wildcards.cell)[wildcards.strength]

    def _dataset(self, wildcards: Wildcards) -> Row:
        return self.settings.datasets[self.settings.sweeps[wildcards.cell]["dataset"]]

    def _model_modules(self, wildcards: Wildcards) -> tuple[str, ...]:
        """Return the modules that rebuild a trained model of a cell."""
        row = self.settings.sweeps[wildcards.cell]
        network = self.settings.scale_of(wildcards.cell)["network"]
        modules = (f"models/networks/{network}", f"models/priors/{row['prior']}")
        return *_variation_module(self._dataset(wildcards)), *modules


def snapshot_steps(wanted: int, steps: int) -> list[int]:
    """Return equidistant steps, the last one included; fewer where the budget is short."""
    count = min(wanted, steps)
    return sorted({round(steps * (i + 1) / count) for i in range(count)})


def _variation_module(row: Row) -> list[str]:
    """Return the module of a dataset's variation, if it has one."""
    return [f"data/variations/{row['variation']}"] if "variation" in row else []
