"""The command line that a rule writes for its script.

    python scripts/train_model.py JOB --in dataset=FILE --out model=FILE history=FILE --with k=v

JOB is one JSON text: `values` are keyword arguments of the script's function, `code` the
fingerprints of the files it may use. `--in` and `--out` name files, `--with` holds settings that
cannot change the result. `--expendable` outputs may be dropped once they were used.
"""

import argparse
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Files = dict[str, list[Path]]


@dataclass(frozen=True)
class Step:
    """One job, as its command line describes it."""

    name: str
    job: dict[str, Any]
    inputs: Files
    outputs: Files
    settings: dict[str, str]
    expendable: bool = False


def read_command_line(name: str, arguments: list[str]) -> Step:
    """Return the job of the step `name` that these words describe."""
    parser = argparse.ArgumentParser(prog=name)
    parser.add_argument("job", type=json.loads)
    parser.add_argument("--in", dest="inputs", nargs="*", default=[])
    parser.add_argument("--out", dest="outputs", nargs="+")
    parser.add_argument("--with", dest="settings", nargs="*", default=[])
    parser.add_argument("--expendable", action="store_true")
    read = parser.parse_args(arguments)
    settings = dict(setting.split("=", 1) for setting in read.settings)
    files = _files(read.inputs), _files(read.outputs)
    return Step(name, read.job, *files, settings, read.expendable)


def _files(words: list[str]) -> Files:
    """`a=1 b=2 3` -> {a: [1], b: [2, 3]}: a word without a name belongs to the name before."""
    files: Files = {}
    for word in words:
        name, equals, path = word.partition("=")
        if equals:
            files[name] = [Path(path)] if path else []
        else:
            files[next(reversed(files))].append(Path(word))
    return files


def flat(files: Files) -> list[Path]:
    """Return all files, in the order of the command line."""
    return [path for paths in files.values() for path in paths]


def keyword_arguments(
    function: Callable[..., Any], step: Step, outputs: Files, key: str
) -> dict[str, Any]:
    """Return what the function is called with; a list takes all its files, the rest one or none."""
    parameters = inspect.signature(function).parameters
    files = {
        name: paths if "list" in str(parameters[name].annotation) else next(iter(paths), None)
        for name, paths in {**step.inputs, **outputs}.items()
    }
    given: dict[str, Any] = {**files, **step.job["values"], **step.settings}
    return given | ({"key": key} if "key" in parameters else {})
