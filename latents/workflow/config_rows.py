"""Checks of configuration rows beyond their schemas: they name things that exist."""

import ast

from latents.evaluation.variable_types import COMBINATIONS
from latents.runtime.errors import Problem
from latents.workflow.config_files import Row, check_name, check_row, scales
from latents.workflow.registry import arguments, constant, keywords, registry

STRENGTH = "strength"  # which a claim's expressions may name beside its terms
FUNCTIONS = ("abs",)  # which they may call
FROM_THE_RUN = ("prior", "facts", "latents")  # arguments that no row has to give


def check_dataset(name: str, row: Row, rows: dict[str, Row], where: str) -> None:
    """Check that a row has files to read, or is a variation of another row's images."""
    if "originals" in row:
        reader = row.get("reader", name)
        check_module("data/readers", reader, f"{where}: reader")
        known = keywords("data/readers", reader, "read_original")
        for option, value in row.get("options", {}).items():
            check_name(
                option, list(known), f"{where}: options", f"latents/data/readers/{reader}.py"
            )
            if not isinstance(value, list):
                raise Problem(f"{where}: options: {option} must be a list, not {value!r}")
    if ("images" in row) != ("variation" in row):
        raise Problem(f"{where}: images and variation go together")
    if "variation" in row:
        check_module("data/variations", row["variation"], f"{where}: variation")
        check_name(row["images"], list(rows), f"{where}: images", "config/datasets.yaml")
        if constant("data/variations", row["variation"], "NEEDS_PICTURE") != ("originals" in row):
            raise Problem(f"{where}: only a variation with a picture has originals, and it must")
    elif "originals" not in row:
        raise Problem(f"{where}: it needs originals, or images and a variation")


def check_sweep(row: Row, scale: Row, datasets: dict[str, Row], where: str) -> None:
    check_name(row["dataset"], list(datasets), f"{where}: dataset", "config/datasets.yaml")
    for name in row.get("overrides", {}):
        check_name(name, ["any", *scales()], f"{where}: overrides", "config/scales")
        special = scale_of(scale, row, name)
        check_row(special, "scale", {}, f"{where}: overrides of {name}")
        check_module(
            "models/networks", special["network"], f"{where}: overrides of {name}: network"
        )
    check_module("models/objectives", row["objective"], f"{where}: objective")
    check_module("models/priors", row["prior"], f"{where}: prior")
    options = row.get("options", {})
    if row["strength"] in options:
        raise Problem(f"{where}: {row['strength']} is both the strength and an option")
    given = {row["strength"]: row["strengths"][0], **options}
    _check_arguments("models/objectives", row["objective"], given, where)
    _check_arguments("models/priors", row["prior"], row.get("prior_options", {}), where)


def scale_of(scale: Row, row: Row, name: str) -> Row:
    """Return a scale with what a row sets for every scale (`any`) and for this one."""
    special = row.get("overrides", {})
    return {**scale, **special.get("any", {}), **special.get(name, {})}


def _check_arguments(folder: str, name: str, given: Row, where: str) -> None:
    """Check that all arguments of a module's class are given, no others, and valid choices."""
    known = {a: c for a, c in arguments(folder, name).items() if a not in FROM_THE_RUN}
    holder = f"latents/{folder}/{name}.py"
    for argument, value in given.items():
        check_name(argument, list(known), f"{where}: argument", holder)
        if known[argument] and value not in known[argument]:
            raise Problem(f"{where}: {argument} is {value!r}, but must be one of {known[argument]}")
    if missing := sorted(set(known) - set(given)):
        raise Problem(f"{where}: {holder} also needs {', '.join(missing)}")


def check_figure(row: Row, sweeps: dict[str, Row], where: str) -> None:
    check_module("figures/plots", row["plot"], f"{where}: plot")
    for key in constant("figures/plots", row["plot"], "NEEDS"):
        if key not in row:
            raise Problem(f"{where}: '{key}' is a required property of {row['plot']}")
    for cell in row["cells"]:
        check_name(cell, list(sweeps), f"{where}: cells", "config/sweeps.yaml")
        if "strength" in row and row["strength"] not in sweeps[cell]["strengths"]:
            raise Problem(f"{where}: {cell} has no strength {row['strength']}")
    for metric in row.get("metrics", []):
        check_module("evaluation/metrics", metric, f"{where}: metrics")
    for panel in row.get("panels", []):
        if "combination" in panel:
            known = list(COMBINATIONS)
            check_name(
                panel["combination"],
                known,
                f"{where}: panels",
                "latents/evaluation/variable_types.py",
            )
        if "cell" in panel:
            check_name(panel["cell"], row["cells"], f"{where}: panels", "the figure's cells")
        if "metric" in panel:
            check_name(panel["metric"], row["metrics"], f"{where}: panels", "the figure's metrics")


def check_correlation(row: Row, sweeps: dict[str, Row], where: str) -> None:
    for cell in row["cells"]:
        check_name(cell, list(sweeps), f"{where}: cells", "config/sweeps.yaml")
    for score in (*row["rows"], *row["columns"]):
        metric_of(score, where)


def check_claim(row: Row, sweeps: dict[str, Row], where: str) -> None:
    check_name(row["cell"], list(sweeps), f"{where}: cell", "config/sweeps.yaml")
    for name, term in row["terms"].items():
        here = f"{where}: terms: {name}"
        check_module("claims/terms", term["of"], f"{here}: of")
        given = {key: value for key, value in term.items() if key != "of"}
        _check_keywords("claims/terms", term["of"], "read", given, here)
        if "metric" in term:
            check_module("evaluation/metrics", term["metric"], f"{here}: metric")
    for key in ("value", "against"):
        _check_expression(row.get(key, STRENGTH), [*row["terms"], STRENGTH], f"{where}: {key}")
    check_module("claims/criteria", row["test"], f"{where}: test")
    _check_keywords(
        "claims/criteria", row["test"], "judge", row["arguments"], f"{where}: arguments"
    )


def _check_keywords(folder: str, name: str, function: str, given: Row, where: str) -> None:
    """Check that a module's function knows all given arguments, and gets those it needs."""
    known, holder = keywords(folder, name, function), f"latents/{folder}/{name}.py"
    for argument in given:
        check_name(argument, list(known), where, holder)
    if missing := sorted(a for a, needed in known.items() if needed and a not in given):
        raise Problem(f"{where}: {holder} also needs {', '.join(missing)}")


def _check_expression(text: str, known: list[str], where: str) -> None:
    """Check that an expression is arithmetic on known names."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise Problem(f"{where}: {text!r} is not an expression") from error
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in FUNCTIONS:
            check_name(node.id, known, where, "the terms")


def metric_of(score: str, where: str) -> str:
    """Return the metric that a score belongs to: `dci_disentanglement` -> `dci`."""
    known = registry("evaluation/metrics")
    fitting = [metric for metric in known if score == metric or score.startswith(f"{metric}_")]
    if not fitting:
        check_name(score, known, f"{where}: score", "latents/evaluation/metrics")
    return max(fitting, key=len)


def check_module(folder: str, name: str, where: str) -> None:
    check_name(name, registry(folder), where, f"latents/{folder}")
