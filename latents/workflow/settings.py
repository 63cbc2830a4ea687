"""The configuration: files of `config/` and the command line, checked and merged.

Only rules and commands import it, never a script: a new figure must not retrain a model.
"""

from dataclasses import dataclass
from pathlib import Path

from latents.runtime.errors import Problem
from latents.workflow.config_files import (
    Row,
    check_name,
    check_row,
    read_rows,
    read_yaml,
    scales,
    schema,
    typed,
)
from latents.workflow.config_rows import (
    check_claim,
    check_correlation,
    check_dataset,
    check_figure,
    check_module,
    check_sweep,
    scale_of,
)
from latents.workflow.data_sources import choose_source
from latents.workflow.registry import constant, registry

COMMAND_LINE = "--config or --configfile"
SCALES = ("smoke", "laptop", "paper")  # in the order in which claims can be expected to hold
PAPER = "paper"


@dataclass(frozen=True)
class Settings:
    """A valid configuration with its scale filled in."""

    options: Row  # config.yaml
    scale: Row  # config/scales/<scale>.yaml
    overrides: Row  # keys of the scale that config.yaml or the command line set
    paper: Row  # config/scales/paper.yaml, for the footers
    datasets: dict[str, Row]
    sweeps: dict[str, Row]
    figures: dict[str, Row]
    correlations: dict[str, Row]
    claims: dict[str, Row]

    def scale_of(self, cell: str) -> Row:
        """Return the scale as a cell uses it; the user's settings win over the row's."""
        return scale_of(self.scale, self.sweeps[cell], self.options["scale"]) | self.overrides

    def paper_scale_of(self, cell: str) -> Row:
        """Return what the paper used for a cell, with its number of models where ours is larger."""
        row = self.sweeps[cell]
        scale = scale_of(self.paper, row, PAPER)
        return {**scale, "seeds": row.get("paper_seeds", scale["seeds"])}

    def runs(self, cell: str) -> list[tuple[str, int]]:
        """Return (strength, seed) of every run of a cell; strengths as they stand in paths."""
        seeds = range(self.scale_of(cell)["seeds"])
        return [(strength, seed) for strength in self.strengths(cell) for seed in seeds]

    def label(self, figure: str) -> str:
        """Return a figure's short name: `Figure 9` of its paper, or its title."""
        label: str = self.figures[figure].get("paper", "").partition(", ")[2]
        return label or str(self.figures[figure]["title"])

    @property
    def whole_scale(self) -> Row:
        """The scale with what the user sets, before any cell changes it."""
        return {**self.scale, **self.overrides}

    def source_of(self, dataset: str, place: Path = Path()) -> str:
        """Return `original` or `twin`, as the user wishes and as files are there."""
        wish = self.options["data_source"]
        wish = wish if isinstance(wish, str) else wish.get(dataset, "auto")
        folder = place / self.options["data"]
        has_twin = dataset in registry("data/twins")
        return choose_source(dataset, self.datasets[dataset], wish, folder, has_twin)

    def strengths(self, cell: str) -> dict[str, float]:
        """Return the strengths of a cell by the text that stands for them in paths."""
        return {_path_text(value): value for value in self.sweeps[cell]["strengths"]}


def _path_text(value: float) -> str:
    """Return a number as it stands in paths, `1` or `0.5`: short where that is exact."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def load(given: Row) -> Settings:
    """Return the settings from the files of `config/` and from what the command line gave."""
    config = read_yaml("config")
    given = {key: typed(value) for key, value in given.items()}
    sources = dict.fromkeys(config, "config/config.yaml") | dict.fromkeys(given, COMMAND_LINE)
    merged = {**config, **given}
    if all(isinstance(of.get("data_source"), dict) for of in (config, given)):
        merged["data_source"] = {**config["data_source"], **given["data_source"]}
    scale_keys = schema("scale")["properties"]
    options = {key: value for key, value in merged.items() if key not in scale_keys}
    overrides = {key: value for key, value in merged.items() if key in scale_keys}
    check_row(options, "config", sources, also=scale_keys)
    scale = _read_scale(options["scale"], overrides, sources)
    tables = _read_tables(scale)
    _check_options(options, sources, tables["datasets"])
    return Settings(options, scale, overrides, read_yaml(f"scales/{PAPER}"), **tables)


def _read_scale(name: str, overrides: Row, sources: dict[str, str]) -> Row:
    """Return a scale that is valid also with what the user sets."""
    check_name(name, scales(), f"{sources['scale']}: scale", "config/scales")
    file = f"config/scales/{name}.yaml"
    scale = read_yaml(f"scales/{name}")
    whole = {**scale, **overrides}
    check_row(whole, "scale", {key: sources.get(key, file) for key in whole}, file)
    check_module("models/networks", whole["network"], f"{sources.get('network', file)}: network")
    return scale


def _read_tables(scale: Row) -> dict[str, dict[str, Row]]:
    """Return the tables of `config/`, every row checked."""
    schemas = ("dataset", "sweep", "figure", "correlation", "claim")
    tables = {f"{name}s": read_rows(f"{name}s", name) for name in schemas}
    sweeps, datasets = tables["sweeps"], tables["datasets"]
    for name, row in datasets.items():
        check_dataset(name, row, datasets, f"config/datasets.yaml: {name}")
    for name, row in sweeps.items():
        check_sweep(row, scale, datasets, f"config/sweeps.yaml: {name}")
    for name, row in tables["figures"].items():
        check_figure(row, sweeps, f"config/figures.yaml: {name}")
    for name, row in tables["correlations"].items():
        check_correlation(row, sweeps, f"config/correlations.yaml: {name}")
    for name, row in tables["claims"].items():
        check_claim(row, sweeps, f"config/claims.yaml: {name}")
    return tables


def _check_options(options: Row, sources: dict[str, str], datasets: dict[str, Row]) -> None:
    """Check that the options name existing datasets and metrics."""
    if isinstance(options["data_source"], dict):
        where = f"{sources['data_source']}: data_source"
        for dataset in options["data_source"]:
            check_name(dataset, list(datasets), where, "config/datasets.yaml")
            if "originals" not in datasets[dataset]:
                of = datasets[dataset]["images"]
                raise Problem(f"{where}: {dataset} is made of the images of {of}: set that instead")
    where = f"{sources['diagnosis_leaves_out']}: diagnosis_leaves_out"
    for metric in options["diagnosis_leaves_out"]:
        check_module("evaluation/metrics", metric, where)
    for metric in registry("evaluation/metrics"):
        constant("evaluation/metrics", metric, "COST")
