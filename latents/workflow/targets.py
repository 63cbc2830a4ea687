"""The targets that the configuration offers, and suggestions for unknown names."""

from difflib import get_close_matches
from pathlib import Path

from latents.runtime.errors import Problem
from latents.runtime.record import read_record
from latents.workflow.clone import require_clone
from latents.workflow.config_files import scales
from latents.workflow.dry_run import Planned, config_options, planned_jobs
from latents.workflow.registry import registry
from latents.workflow.settings import Settings, load

ALL = {"figures": "all"}  # a folder to people, a rule to Snakemake
ROOTS = ("figures/", "results/")
TABLES = ("variables", "latents", "correlation_matrices")  # one per cell
NO_RULE = "MissingRuleException"  # Snakemake's word for a file that no rule makes


def known_targets() -> list[str]:
    """Return the files that the configuration offers: figures, datasets, tables of every cell.

    Rules may make more than these, such as the files of single runs.
    """
    require_clone()
    settings = load({})
    figures = [f"figures/{name}" for name in [*settings.figures, "claims"]]
    found = [name + suffix for suffix in (".pdf", ".png", ".csv", ".txt") for name in figures]
    found += [f"{name}.crate.zip" for name in figures] + ["results/claims.csv"]
    found += [f"figures/datasets/{dataset}.pdf" for dataset in settings.datasets]
    prepared = [name for name, row in settings.datasets.items() if "originals" in row]
    found += [f"results/datasets/{dataset}.h5" for dataset in prepared]
    tables = _tables(settings)
    return found + [f"results/{scale}/{table}.csv" for scale in scales() for table in tables]


def _tables(settings: Settings) -> list[str]:
    metrics = registry("evaluation/metrics")
    found = [f"scores/{cell}/{metric}" for cell in settings.sweeps for metric in metrics]
    found += [f"{table}/{cell}" for cell in settings.sweeps for table in TABLES]
    found += [f"snapshots/{cell}" for cell, row in settings.sweeps.items() if "snapshots" in row]
    found += [f"correlations/{row}" for row in settings.correlations]
    return [*found, *(f"claims/{claim}" for claim in settings.claims), "claims"]


def full_name(name: str) -> str:
    """Return the one target that a short name such as `fig9` means; any other name as it is."""
    if name.startswith(ROOTS) or name in ALL or Path(name).exists():
        return name
    ends = (f"/{name}", f"/{name}.pdf")
    meant = [target for target in known_targets() if target.endswith(ends)]
    return meant[0] if len(meant) == 1 else name


def plan(target: str, options: list[str], folder: Path) -> list[Planned]:
    """Return the jobs that would run for a target; refuse an unknown one with its nearest name."""
    require_clone()
    try:
        return planned_jobs([ALL.get(target, target)], options, folder)
    except Problem as problem:
        if NO_RULE not in str(problem) or target not in str(problem):
            raise
        raise Problem(_unknown(target)) from problem


def find_artefact(name: str, folder: Path) -> Path:
    """Return where an artefact or its copy is; refuse what is not built, or what no rule makes."""
    path = Path(name) if Path(name).exists() else folder / full_name(name)
    if not path.exists() and not read_record(path):
        whole, root = path.resolve(), folder.resolve()
        if not whole.is_relative_to(root):
            raise Problem(f"{name} is not there")
        inside = str(whole.relative_to(root))
        plan(inside, config_options(settings_of(inside)), folder)
        raise Problem(f"{inside} is not built yet")
    return path


def settings_of(target: str) -> dict[str, str]:
    """Return the scale that a path names, as the setting that makes the path a target."""
    top, scale, *_ = (*Path(target).parts, "", "")
    return {"scale": scale} if top == "results" and scale in scales() else {}


def _unknown(target: str) -> str:
    names: dict[str, str] = {}
    for known in known_targets():
        for name in (known, Path(known).name, Path(known).stem):
            names.setdefault(name, known)
    if target in names.values():
        return f"{target} is of another scale than the chosen one"
    close = get_close_matches(target, names, n=1)
    return f"no such target {target}" + (f"; nearest: {names[close[0]]}" if close else "")
