"""The canonical text of a job: all that decides its result, apart from its input files."""

from collections.abc import Callable
from dataclasses import dataclass

from latents.runtime.fingerprint import fingerprint
from latents.runtime.record import canonical
from latents.workflow.config_files import Row
from latents.workflow.paths import Paths
from latents.workflow.settings import Settings


@dataclass(frozen=True)
class JobText:
    """Texts of jobs under one configuration; `commands` returns the command of a rule."""

    settings: Settings
    paths: Paths
    commands: Callable[[str], str]

    def text(self, rule: str, values: Row, *modules: str) -> str:
        """Return the canonical text of a job; `modules` are those that its script loads by name."""
        entries = [f"scripts/{rule}.py", *(f"latents/{module}.py" for module in modules)]
        command = " ".join(self.commands(rule).split())
        return canonical({"code": fingerprint(*entries), "command": command, "values": values})

    def pairs(self) -> Row:
        return {"pairs": self.settings.options["pairs"]}

    def tolerance(self) -> Row:
        return {"tolerance": self.settings.options["type_tolerance"]}

    def scale_name(self) -> Row:
        return {"scale_name": self.settings.options["scale"]}
