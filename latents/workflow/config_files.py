"""Files of `config/`: reading, validation by schema, and one sentence for what is wrong."""

import re
from difflib import get_close_matches
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from latents.runtime.errors import Problem
from latents.runtime.sources import ROOT

Row = dict[str, Any]
FOLDER = ROOT / "config"
ROW_NAME = re.compile(r"[A-Za-z0-9_]+(/[A-Za-z0-9_]+)?")


def _is_integer(_: Any, value: Any) -> bool:
    """Return whether a value is an integer: JSON Schema also accepts 2.0, `range` does not."""
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
    """YAML that reads 1e-5 as a number, which YAML 1.1 wants as 1.0e-5."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"),
    list("-+.0123456789"),
)


def read_yaml(name: str) -> Row:
    """Return the content of a file of `config/`, named without its ending."""
    shown = f"config/{name}.yaml"
    try:
        content = yaml.load((FOLDER / f"{name}.yaml").read_text(), Loader)
    except OSError as error:
        raise Problem(f"{shown}: {error.strerror}") from error
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        raise Problem(f"{shown}: not valid YAML near line {line}") from error
    if not isinstance(content, dict):
        raise Problem(f"{shown}: expected keys and values")
    return content


def typed(value: Any) -> Any:
    """Return a value of the command line with numbers inside lists as numbers, not texts."""
    if isinstance(value, list):
        return [typed(item) for item in value]
    return yaml.load(value, Loader) if isinstance(value, str) else value


def read_rows(file: str, schema: str) -> dict[str, Row]:
    path = f"config/{file}.yaml"
    rows = read_yaml(file)
    for name, row in rows.items():
        if not ROW_NAME.fullmatch(str(name)) or not isinstance(name, str):
            raise Problem(f"{path}: a row is named by letters, digits and _, not {name!r}")
        if not isinstance(row, dict):
            raise Problem(f"{path}: {name} must be a row of keys and values")
        check_row(row, schema, {}, f"{path}: {name}")
    return rows


def check_row(
    row: Row, kind: str, sources: dict[str, str], file: str = "", also: Row | None = None
) -> None:
    """Refuse a row that its schema does not allow; `also` are further keys to suggest."""
    rules = schema(kind)
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


def check_name(name: str, known: list[str], where: str, holder: str) -> None:
    if name not in known:
        raise Problem(f'{where} "{name}" is not in {holder}{_nearest(name, known)}')


def _nearest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1, cutoff=0.5)
    if close:
        return f'; did you mean "{close[0]}"?'
    return f"; known are {', '.join(sorted(known))}"


def scales() -> list[str]:
    """Return the names of the scales."""
    return sorted(path.stem for path in (FOLDER / "scales").glob("*.yaml"))


def schema(name: str) -> Row:
    return _read_schema(FOLDER, name)


@cache
def _read_schema(_folder: Path, name: str) -> Row:
    return read_yaml(f"schemas/{name}")
