"""`latents crate-check`."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

# The last is the source of the vocabulary, and older than what the first would choose.
PACKAGES = (["roc-validator==0.13.0"], ["--no-deps", "rocrate==0.13.0"])
Crate = Annotated[Path, typer.Argument(metavar="FILE", help="A crate.")]
Severity = Annotated[
    Literal["required", "recommended", "optional"],
    typer.Option(help="Which of the profiles' rules count."),
]


def crate_check(
    file: Crate = Path("figures/fig9.crate.zip"), severity: Severity = "required"
) -> None:
    """Check that a crate is a valid RO-Crate.

    Under the process, workflow and provenance profiles. The validator needs older packages than
    the project does; it is installed into .venv-crate/ the first time.

    \b
    Examples:
      snakemake --cores 1 figures/fig9.crate.zip
      latents crate-check
      latents crate-check figures/fig10.crate.zip --severity recommended

    Exit codes: 0 if the crate is valid, 1 if not.
    """
    from latents.runtime.errors import Problem
    from latents.runtime.sources import ROOT
    from latents.workflow.clone import require_clone

    require_clone()
    if not file.is_file():
        raise Problem(f"{file} is not there: snakemake --cores 1 {file}")
    python = environment(ROOT / ".venv-crate")
    module = "latents.provenance.crate_validation"
    done = subprocess.run(
        [python, "-m", module, str(file), severity], env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    raise typer.Exit(done.returncode)


def environment(folder: Path) -> Path:
    """Return the Python of an environment with the validator, which is installed where missing."""
    from latents.runtime.errors import Problem

    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        commands = [[sys.executable, "-m", "venv", str(folder)]]
        commands += [[str(python), "-m", "pip", "install", "--quiet", *words] for words in PACKAGES]
        for command in commands:
            if subprocess.run(command).returncode:
                raise Problem(f"the validator could not be installed in {folder}, see above")
        ready.touch()
    return python
