"""The canonical text of a job: all that decides its result, apart from the bytes of its inputs."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from latents.runtime.fingerprint import fingerprint
from latents.runtime.record import canonical
from latents.workflow.config_files import Row
from latents.workflow.paths import Paths, Wildcards
from latents.workflow.settings import Settings

REDIRECTION = re.compile(r"\s\d?[|>]")  # where a command begins to say what becomes of its words


class Work:
    """What a script is to do: the values of its function, and modules that it loads by name."""

    def __init__(self, values: Row, *modules: str) -> None:
        self.values = values
        self.modules = modules


@dataclass(frozen=True)
class JobText:
    """Texts of jobs under one configuration.

    `commands` returns the command of a rule; `variables` are environment variables that the rules
    set for jobs and that may change a result.
    """

    settings: Settings
    paths: Paths
    commands: Callable[[str], str]
    variables: Callable[[], Mapping[str, str]]

    def text(self, work: Callable[[Wildcards], Work]) -> Callable[[Wildcards, Any], str]:
        """Return the function of `params` that gives the text of the jobs of a method."""
        rule = work.__name__

        def job(wildcards: Wildcards, input: Any) -> str:
            wanted = work(wildcards)
            return canonical(
                {
                    "code": fingerprint(rule, wanted.modules).digest,
                    "modules": wanted.modules,
                    "command": self._command(rule),
                    "inputs": _order(input.items()),
                    "values": wanted.values,
                    **({"variables": self._variables} if self._variables else {}),
                }
            )

        return job

    def _command(self, rule: str) -> str:
        """Return what a rule runs; where its words are written is no part of a result."""
        return REDIRECTION.split(" ".join(self.commands(rule).split()), maxsplit=1)[0]

    @cached_property
    def _variables(self) -> dict[str, str]:
        return dict(self.variables())

    def pairs(self) -> Row:
        return {"pairs": self.settings.options["pairs"]}

    def tolerance(self) -> Row:
        return {"tolerance": self.settings.options["type_tolerance"]}

    def scale_name(self) -> Row:
        return {"scale_name": self.settings.options["scale"]}


def _order(inputs: Iterable[tuple[str, Any]]) -> str:
    """Return a digest of which files a step gets under which name, and in which order."""
    files = {name: [found] if isinstance(found, str) else [*found] for name, found in inputs}
    return hashlib.sha256(canonical(files).encode()).hexdigest()[:16]
