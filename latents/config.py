"""The configuration: read, checked against its schemas, and refused with one sentence.

Imported by the rules only, never by a script: a new figure must not retrain a model.
"""

import ast
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from latents.fingerprint import ROOT
from latents.naming import class_name
from latents.problem import Problem
from latents.variables import COMBINATIONS

Row = dict[str, Any]
FOLDER = ROOT / "config"
COMMAND_LINE = "--config on the command line"
PAPER = "paper"


@dataclass(frozen=True)
class Settings:
    """A valid configuration with its scale filled in."""

    options: Row  # config.yaml
    scale: Row  # config/scales/<scale>.yaml with what the command line overrides
    paper: Row  # config/scales/paper.yaml, for the footers
    sweeps: dict[str, Row]
    figures: dict[str, Row]

    def runs(self, cell: str) -> list[tuple[str, int]]:
        """(strength, seed) of every run of a cell; strengths as they stand in paths."""
        seeds = range(self.scale["seeds"])
        return [(strength, seed) for strength in self.strengths(cell) for seed in seeds]

    def strengths(self, cell: str) -> dict[str, float]:
        """Strengths of a cell by the text that stands for them in paths."""
        return {f"{value:g}": value for value in self.sweeps[cell]["strengths"]}


def load(given: Row) -> Settings:
    """Settings from the files of `config/` and from what the command line gave."""
    config, sources = read_yaml(FOLDER / "config.yaml"), {}
    given = {key: _typed(value) for key, value in given.items()}
    scale_keys = _schema("scale")["properties"]
    for key in set(config) | set(given):
        sources[key] = COMMAND_LINE if key in given else "config/config.yaml"
    merged = {**config, **given}
    options = {key: value for key, value in merged.items() if key not in scale_keys}
    overrides = {key: value for key, value in merged.items() if key in scale_keys}
    _check(options, "config", sources, also=scale_keys)
    name = options["scale"]
    _check_name(name, _stems(FOLDER / "scales"), f"{sources['scale']}: scale", "config/scales")
    scale_file = f"config/scales/{name}.yaml"
    scale = {**read_yaml(FOLDER / "scales" / f"{name}.yaml"), **overrides}
    _check(scale, "scale", {key: sources.get(key, scale_file) for key in scale}, scale_file)
    _check_module("models", scale["network"], f"{sources.get('network', scale_file)}: network")
    sweeps = _rows("sweeps", "sweep")
    figures = _rows("figures", "figure")
    for cell, row in sweeps.items():
        _check_sweep(row, f"config/sweeps.yaml: {cell}")
    for figure, row in figures.items():
        _check_figure(row, sweeps, f"config/figures.yaml: {figure}")
    paper = read_yaml(FOLDER / "scales" / f"{PAPER}.yaml")
    return Settings(options, scale, paper, sweeps, figures)


def read_yaml(path: Path) -> Row:
    shown = path.relative_to(ROOT)
    try:
        content = yaml.safe_load(path.read_text())
    except OSError as error:
        raise Problem(f"{shown}: {error.strerror}") from error
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        raise Problem(f"{shown}: not valid YAML near line {line}") from error
    if not isinstance(content, dict):
        raise Problem(f"{shown}: expected keys and values")
    return content


def _typed(value: Any) -> Any:
    """Numbers inside a list on the command line reach us as text."""
    if isinstance(value, list):
        return [yaml.safe_load(item) if isinstance(item, str) else item for item in value]
    return value


def registry(folder: str) -> list[str]:
    """The folder is the registry: names of the modules in `latents/<folder>`."""
    return [stem for stem in _stems(ROOT / "latents" / folder) if stem != "__init__"]


def arguments(module: str, name: str) -> list[str]:
    """Keyword arguments of a module's class, read from its source: no import, so no torch."""
    tree = ast.parse((ROOT / "latents" / module / f"{name}.py").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == class_name(name):
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                    return [argument.arg for argument in item.args.kwonlyargs]
    return []


def _rows(file: str, schema: str) -> dict[str, Row]:
    path = f"config/{file}.yaml"
    rows = read_yaml(FOLDER / f"{file}.yaml")
    for name, row in rows.items():
        if not isinstance(row, dict):
            raise Problem(f"{path}: {name} must be a row of keys and values")
        _check(row, schema, {}, f"{path}: {name}")
    return rows


def _check_sweep(row: Row, where: str) -> None:
    _check_module("datasets", row["dataset"], f"{where}: dataset")
    _check_module("objectives", row["objective"], f"{where}: objective")
    _check_module("priors", row["prior"], f"{where}: prior")
    known = [a for a in arguments("objectives", row["objective"]) if a != "prior"]
    given = {row["strength"], *row.get("options", {})}
    for name in sorted(given):
        _check_name(name, known, f"{where}: strength or option", f"objective {row['objective']}")
    if missing := sorted(set(known) - given):
        raise Problem(f"{where}: objective {row['objective']} also needs {', '.join(missing)}")


def _check_figure(row: Row, sweeps: dict[str, Row], where: str) -> None:
    _check_module("plots", row["plot"], f"{where}: plot")
    for cell in row["cells"]:
        _check_name(cell, list(sweeps), f"{where}: cells", "config/sweeps.yaml")
    for metric in row["metrics"]:
        _check_module("metrics", metric, f"{where}: metrics")
    for panel in row["panels"]:
        name = panel["combination"]
        _check_name(name, list(COMBINATIONS), f"{where}: panels", "latents/variables.py")


def _check_module(folder: str, name: str, where: str) -> None:
    _check_name(name, registry(folder), where, f"latents/{folder}")


def _check_name(name: str, known: list[str], where: str, holder: str) -> None:
    if name not in known:
        raise Problem(f'{where} "{name}" is not in {holder}{_nearest(name, known)}')


def _check(
    row: Row, schema: str, sources: dict[str, str], file: str = "", also: Row | None = None
) -> None:
    """Refuse a row that its schema does not allow; `also` are keys to suggest besides."""
    rules = _schema(schema)
    for key in row:
        if key not in rules["properties"]:
            known = [*rules["properties"], *(also or {})]
            where = sources.get(key, file)
            raise Problem(f'{where}: unknown key "{key}"{_nearest(str(key), known)}')
    error = next(iter(jsonschema.Draft202012Validator(rules).iter_errors(row)), None)
    if error is not None:
        key = ".".join(str(part) for part in error.absolute_path)
        where = sources.get(str(next(iter(error.absolute_path), "")), file or "config/config.yaml")
        said = f"{key} is {error.instance!r}, but {_expected(error)}" if key else error.message
        raise Problem(f"{where}: {said}")


def _expected(error: jsonschema.ValidationError) -> str:
    limit = error.validator_value
    wording = {
        "type": f"must be of type {limit}",
        "minimum": f"must be at least {limit}",
        "maximum": f"must be at most {limit}",
        "exclusiveMinimum": f"must be above {limit}",
        "exclusiveMaximum": f"must be below {limit}",
        "enum": f"must be one of {limit}",
        "pattern": f"must match {limit}",
    }
    return wording.get(str(error.validator), str(error.message))


def _nearest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1, cutoff=0.5)
    if close:
        return f'; did you mean "{close[0]}"?'
    return f"; known are {', '.join(sorted(known))}"


def _schema(name: str) -> Row:
    return read_yaml(FOLDER / "schemas" / f"{name}.yaml")


def _stems(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.iterdir() if path.suffix in (".py", ".yaml"))
