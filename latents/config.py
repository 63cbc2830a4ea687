"""The configuration: read, checked against its schemas, and refused with one sentence.

Imported by the rules only, never by a script: a new figure must not retrain a model.
"""

import ast
import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from latents.fingerprint import ROOT
from latents.naming import class_name
from latents.problem import Problem
from latents.sources import choose_source
from latents.variables import COMBINATIONS

Row = dict[str, Any]
FOLDER = ROOT / "config"
COMMAND_LINE = "--config or --configfile"
ROW_NAME = re.compile(r"[A-Za-z0-9_]+(/[A-Za-z0-9_]+)?")
PAPER = "paper"
STRENGTH = "strength"  # which a claim's expressions may name beside its terms
FUNCTIONS = ("abs",)  # which they may call
FROM_THE_RUN = ("prior", "facts", "latents")  # arguments that no row has to give


def _is_integer(_: Any, value: Any) -> bool:
    """JSON Schema counts 2.0 as an integer; Python's range does not."""
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(_: Any, value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


VALIDATOR = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": _is_integer, "number": _is_number}
    ),
)


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML as people write it: 1e-5 is a number, although YAML 1.1 wants 1.0e-5."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"),
    list("-+.0123456789"),
)


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
        """The scale as a cell uses it; what the user sets wins over what the row sets."""
        return scale_of(self.scale, self.sweeps[cell], self.options["scale"]) | self.overrides

    def paper_scale_of(self, cell: str) -> Row:
        """What the paper used for a cell."""
        return scale_of(self.paper, self.sweeps[cell], PAPER)

    def runs(self, cell: str) -> list[tuple[str, int]]:
        """(strength, seed) of every run of a cell; strengths as they stand in paths."""
        seeds = range(self.scale_of(cell)["seeds"])
        return [(strength, seed) for strength in self.strengths(cell) for seed in seeds]

    def source_of(self, dataset: str) -> str:
        """`original` or `twin`, as the user wishes and as files are there."""
        wish = self.options["data_source"]
        wish = wish if isinstance(wish, str) else wish.get(dataset, "auto")
        folder = Path(self.options["data"])
        has_twin = dataset in registry("twins")
        return choose_source(dataset, self.datasets[dataset], wish, folder, has_twin)

    def strengths(self, cell: str) -> dict[str, float]:
        """Strengths of a cell by the text that stands for them in paths."""
        return {_path_text(value): value for value in self.sweeps[cell]["strengths"]}


def scale_of(scale: Row, row: Row, name: str) -> Row:
    """A scale with what a row sets for every scale (`any`) and for this one."""
    special = row.get("overrides", {})
    return {**scale, **special.get("any", {}), **special.get(name, {})}


def _path_text(value: float) -> str:
    """`1`, `0.5`: short where that is exact."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def load(given: Row) -> Settings:
    """Settings from the files of `config/` and from what the command line gave."""
    config, sources = read_yaml(FOLDER / "config.yaml"), {}
    given = {key: _typed(value) for key, value in given.items()}
    scale_keys = _schema("scale")["properties"]
    for key in set(config) | set(given):
        sources[key] = COMMAND_LINE if key in given else "config/config.yaml"
    merged = {**config, **given}
    if all(isinstance(of.get("data_source"), dict) for of in (config, given)):
        merged["data_source"] = {**config["data_source"], **given["data_source"]}
    options = {key: value for key, value in merged.items() if key not in scale_keys}
    overrides = {key: value for key, value in merged.items() if key in scale_keys}
    _check(options, "config", sources, also=scale_keys)
    name = options["scale"]
    _check_name(name, _stems(FOLDER / "scales"), f"{sources['scale']}: scale", "config/scales")
    scale_file = f"config/scales/{name}.yaml"
    scale = read_yaml(FOLDER / "scales" / f"{name}.yaml")
    whole = {**scale, **overrides}
    _check(whole, "scale", {key: sources.get(key, scale_file) for key in whole}, scale_file)
    _check_module("models", whole["network"], f"{sources.get('network', scale_file)}: network")
    datasets = _rows("datasets", "dataset")
    for dataset, row in datasets.items():
        _check_dataset(dataset, row, datasets, f"config/datasets.yaml: {dataset}")
    if isinstance(options["data_source"], dict):
        where = f"{sources['data_source']}: data_source"
        for dataset in options["data_source"]:
            _check_name(dataset, list(datasets), where, "config/datasets.yaml")
            if "originals" not in datasets[dataset]:
                of = datasets[dataset]["images"]
                raise Problem(f"{where}: {dataset} is made of the images of {of}: set that instead")
    where = f"{sources['report_leaves_out']}: report_leaves_out"
    for metric in options["report_leaves_out"]:
        _check_module("metrics", metric, where)
    for metric in registry("metrics"):
        constant("metrics", metric, "COST")
    sweeps = _rows("sweeps", "sweep")
    figures = _rows("figures", "figure")
    for cell, row in sweeps.items():
        _check_sweep(row, scale, datasets, f"config/sweeps.yaml: {cell}")
    for figure, row in figures.items():
        _check_figure(row, sweeps, f"config/figures.yaml: {figure}")
    paper = read_yaml(FOLDER / "scales" / f"{PAPER}.yaml")
    correlations = _rows("correlations", "correlation")
    for name, row in correlations.items():
        _check_correlation(row, sweeps, f"config/correlations.yaml: {name}")
    claims = _rows("claims", "claim")
    for name, row in claims.items():
        _check_claim(row, sweeps, f"config/claims.yaml: {name}")
    rows = (datasets, sweeps, figures, correlations, claims)
    return Settings(options, scale, overrides, paper, *rows)


def read_yaml(path: Path) -> Row:
    shown = path.relative_to(ROOT)
    try:
        content = yaml.load(path.read_text(), Loader)
    except OSError as error:
        raise Problem(f"{shown}: {error.strerror}") from error
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        raise Problem(f"{shown}: not valid YAML near line {line}") from error
    if not isinstance(content, dict):
        raise Problem(f"{shown}: expected keys and values")
    return content


def _typed(value: Any) -> Any:
    """Some numbers on the command line reach us as text, as those inside a list."""
    if isinstance(value, list):
        return [_typed(item) for item in value]
    return yaml.load(value, Loader) if isinstance(value, str) else value


def registry(folder: str) -> list[str]:
    """The folder is the registry: names of the modules in `latents/<folder>`."""
    return [stem for stem in _stems(ROOT / "latents" / folder) if stem != "__init__"]


def arguments(module: str, name: str) -> dict[str, list[Any]]:
    """Keyword arguments of a module's class with the choices of those that are a `Literal`.

    Read from the source: no import, so no torch.
    """
    path = ROOT / "latents" / module / f"{name}.py"
    tree = ast.parse(path.read_text(), filename=str(path))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == class_name(name):
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                    return {a.arg: _choices(a.annotation) for a in item.args.kwonlyargs}
    return {}


def keywords(module: str, name: str, function: str) -> dict[str, bool]:
    """Keyword arguments of a module's function, and whether each of them has to be given."""
    path = ROOT / "latents" / module / f"{name}.py"
    for node in ast.parse(path.read_text(), filename=str(path)).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            given = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            return {argument.arg: default is None for argument, default in given}
    raise Problem(f"latents/{module}/{name}.py has no {function}()")


def constant(module: str, name: str, key: str) -> Any:
    """A constant of a module, read from the source like its arguments."""
    path = ROOT / "latents" / module / f"{name}.py"
    for node in ast.parse(path.read_text(), filename=str(path)).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == key:
            return ast.literal_eval(node.value)
    raise Problem(f"latents/{module}/{name}.py has no {key}")


def _choices(annotation: ast.expr | None) -> list[Any]:
    """`Literal["i", "ii"]` -> ["i", "ii"]; nothing for any other annotation."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Literal":
        inside = ast.literal_eval(annotation.slice)
        return list(inside) if isinstance(inside, tuple) else [inside]
    return []


def _rows(file: str, schema: str) -> dict[str, Row]:
    path = f"config/{file}.yaml"
    rows = read_yaml(FOLDER / f"{file}.yaml")
    for name, row in rows.items():
        if not ROW_NAME.fullmatch(str(name)) or not isinstance(name, str):
            raise Problem(f"{path}: a row is named by letters, digits and _, not {name!r}")
        if not isinstance(row, dict):
            raise Problem(f"{path}: {name} must be a row of keys and values")
        _check(row, schema, {}, f"{path}: {name}")
    return rows


def _check_dataset(name: str, row: Row, rows: dict[str, Row], where: str) -> None:
    """A row has files to read, or is a variation of another row's images."""
    if "originals" in row:
        reader = row.get("reader", name)
        _check_module("datasets", reader, f"{where}: reader")
        known = keywords("datasets", reader, "read_original")
        for option, value in row.get("options", {}).items():
            _check_name(option, list(known), f"{where}: options", f"latents/datasets/{reader}.py")
            if not isinstance(value, list):
                raise Problem(f"{where}: options: {option} must be a list, not {value!r}")
    if ("images" in row) != ("variation" in row):
        raise Problem(f"{where}: images and variation go together")
    if "variation" in row:
        _check_module("variations", row["variation"], f"{where}: variation")
        _check_name(row["images"], list(rows), f"{where}: images", "config/datasets.yaml")
        if constant("variations", row["variation"], "NEEDS_PICTURE") != ("originals" in row):
            raise Problem(f"{where}: only a variation with a picture has originals, and it must")
    elif "originals" not in row:
        raise Problem(f"{where}: it needs originals, or images and a variation")


def _check_sweep(row: Row, scale: Row, datasets: dict[str, Row], where: str) -> None:
    _check_name(row["dataset"], list(datasets), f"{where}: dataset", "config/datasets.yaml")
    for name in row.get("overrides", {}):
        _check_name(
            name, ["any", *_stems(FOLDER / "scales")], f"{where}: overrides", "config/scales"
        )
        special = scale_of(scale, row, name)
        _check(special, "scale", {}, f"{where}: overrides of {name}")
        _check_module("models", special["network"], f"{where}: overrides of {name}: network")
    _check_module("objectives", row["objective"], f"{where}: objective")
    _check_module("priors", row["prior"], f"{where}: prior")
    options = row.get("options", {})
    if row["strength"] in options:
        raise Problem(f"{where}: {row['strength']} is both the strength and an option")
    given = {row["strength"]: row["strengths"][0], **options}
    _check_arguments("objectives", row["objective"], given, where)
    _check_arguments("priors", row["prior"], row.get("prior_options", {}), where)


def _check_arguments(folder: str, name: str, given: Row, where: str) -> None:
    """Every argument of a module's class is given, no other, and of several choices a valid one."""
    known = {a: c for a, c in arguments(folder, name).items() if a not in FROM_THE_RUN}
    holder = f"latents/{folder}/{name}.py"
    for argument, value in given.items():
        _check_name(argument, list(known), f"{where}: argument", holder)
        if known[argument] and value not in known[argument]:
            raise Problem(f"{where}: {argument} is {value!r}, but must be one of {known[argument]}")
    if missing := sorted(set(known) - set(given)):
        raise Problem(f"{where}: {holder} also needs {', '.join(missing)}")


def _check_figure(row: Row, sweeps: dict[str, Row], where: str) -> None:
    _check_module("plots", row["plot"], f"{where}: plot")
    for key in constant("plots", row["plot"], "NEEDS"):
        if key not in row:
            raise Problem(f"{where}: '{key}' is a required property of {row['plot']}")
    for cell in row["cells"]:
        _check_name(cell, list(sweeps), f"{where}: cells", "config/sweeps.yaml")
        if "strength" in row and row["strength"] not in sweeps[cell]["strengths"]:
            raise Problem(f"{where}: {cell} has no strength {row['strength']}")
    for metric in row.get("metrics", []):
        _check_module("metrics", metric, f"{where}: metrics")
    for panel in row.get("panels", []):
        if "combination" in panel:
            known = list(COMBINATIONS)
            _check_name(panel["combination"], known, f"{where}: panels", "latents/variables.py")
        if "cell" in panel:
            _check_name(panel["cell"], row["cells"], f"{where}: panels", "the figure's cells")
        if "metric" in panel:
            _check_name(panel["metric"], row["metrics"], f"{where}: panels", "the figure's metrics")


def _check_correlation(row: Row, sweeps: dict[str, Row], where: str) -> None:
    for cell in row["cells"]:
        _check_name(cell, list(sweeps), f"{where}: cells", "config/sweeps.yaml")
    for score in (*row["rows"], *row["columns"]):
        metric_of(score, where)


def _check_claim(row: Row, sweeps: dict[str, Row], where: str) -> None:
    _check_name(row["cell"], list(sweeps), f"{where}: cell", "config/sweeps.yaml")
    for name, term in row["terms"].items():
        here = f"{where}: terms: {name}"
        _check_module("terms", term["of"], f"{here}: of")
        given = {key: value for key, value in term.items() if key != "of"}
        _check_keywords("terms", term["of"], "read", given, here)
        if "metric" in term:
            _check_module("metrics", term["metric"], f"{here}: metric")
    for key in ("value", "against"):
        _check_expression(row.get(key, STRENGTH), [*row["terms"], STRENGTH], f"{where}: {key}")
    _check_module("claims", row["test"], f"{where}: test")
    _check_keywords("claims", row["test"], "judge", row["arguments"], f"{where}: arguments")


def _check_keywords(folder: str, name: str, function: str, given: Row, where: str) -> None:
    """A module's function knows every argument that is given, and gets all it needs."""
    known, holder = keywords(folder, name, function), f"latents/{folder}/{name}.py"
    for argument in given:
        _check_name(argument, list(known), where, holder)
    if missing := sorted(a for a, needed in known.items() if needed and a not in given):
        raise Problem(f"{where}: {holder} also needs {', '.join(missing)}")


def _check_expression(text: str, known: list[str], where: str) -> None:
    """Arithmetic on names that are there."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise Problem(f"{where}: {text!r} is not an expression") from error
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in FUNCTIONS:
            _check_name(node.id, known, where, "the terms")


def metric_of(score: str, where: str) -> str:
    """The metric that a score is of: `dci_disentanglement` -> `dci`."""
    known = [*registry("metrics"), "chen_mig"]
    fitting = [metric for metric in known if score == metric or score.startswith(f"{metric}_")]
    if not fitting:
        _check_name(score, known, f"{where}: score", "latents/metrics")
    return max(fitting, key=len)


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
    error = next(iter(VALIDATOR(rules).iter_errors(row)), None)
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
    return _read_schema(FOLDER / "schemas" / f"{name}.yaml")


@cache
def _read_schema(path: Path) -> Row:
    return read_yaml(path)


def _stems(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.iterdir() if path.suffix in (".py", ".yaml"))
