# What several rules share: the configuration, the files of a job, its values, and how it starts.
import os
import re
import sys
from pathlib import Path

BASE = Path(workflow.current_basedir).parent.resolve()
sys.path.insert(0, str(BASE))

from latents.engine import running
from latents.provenance.captions import Built
from latents.provenance.report_directives import define_words
from latents.runtime.environment import COUNTING
from latents.runtime.errors import Problem
from latents.runtime.job_list import write_list
from latents.runtime.record import canonical
from latents.runtime.supervision import CONFIGURATION, PROBLEMS
from latents.workflow import settings
from latents.workflow.job_values import JobValues
from latents.workflow.launching import Launcher
from latents.workflow.lock import write_owner
from latents.workflow.paths import RUN, Paths
from latents.workflow.registry import registry_by_cost
from latents.workflow.resources import growing, training_minutes

try:
    running.prepare(workflow, BASE)
    SETTINGS = settings.load(config)
except Problem as problem:
    sys.exit(f"Configuration error: {problem}")

PATHS = Paths(SETTINGS, running.place_of(workflow))
# Records tell what the user set besides the files of config/.
SCRIPTS = Launcher(
    BASE, {CONFIGURATION: canonical(config)}, running.uses_conda(workflow), ENVIRONMENT
)
JOBS = JobValues(
    SETTINGS, PATHS, lambda name: running.command_of(getattr(rules, name).rule), SCRIPTS.counting
)

os.environ[COUNTING] = "yes" if SETTINGS.options["stale_with_packages"] else ""
RESULTS = PATHS.results
DEVICE = SETTINGS.options["device"]
GPU = 0 if DEVICE == "cpu" else 1  # what a job on the device asks for
SNAPSHOT_CELLS = [cell for cell, row in SETTINGS.sweeps.items() if "snapshots" in row]
METRICS = registry_by_cost("evaluation/metrics")
# What no figure reads itself may be dropped once it was used; its record then stands for it.
IS_FRUGAL = SETTINGS.options["keep"] == "figures"
KILLED = (
    "a job was ended before it could say why: killed, or out of memory; "
    "run the same command again to go on"
)
BUILT = Built(SETTINGS, PATHS.place / RESULTS)
define_words(BUILT)


report: "../report/workflow.rst"


wildcard_constraints:
    cell="|".join(SETTINGS.sweeps),
    dataset="|".join(SETTINGS.datasets),
    figure="|".join(SETTINGS.figures),
    metric="|".join(name for names in METRICS.values() for name in names),
    strength="|".join(
        sorted({re.escape(s) for cell in SETTINGS.sweeps for s in SETTINGS.strengths(cell)})
    ),
    seed=r"\d+",


# An output stays in place until its job has made another one.
outputflags:
    update,


onstart:
    running.start(workflow)
    write_owner(Path(".snakemake"))
    PROBLEMS.write_text("")
    write_list(workflow.dag)


onerror:
    said = PROBLEMS.read_text().strip() if PROBLEMS.exists() else ""
    print(f"\nWhat went wrong:\n{said or KILLED}", file=sys.stderr)


def threads_of(wildcards):
    return SETTINGS.scale_of(wildcards.cell)["threads"]


def until_used(path):
    return temp(path) if IS_FRUGAL else path


def in_report(path, what=""):
    """Mark a file of a figure for `snakemake --report`.

    It has one label only: of two labels the report would make a switch where there are two figures.
    """

    def row(wildcards):
        return SETTINGS.figures[wildcards.figure]

    return report(
        path,
        caption="../report/figure.rst",
        category=lambda wildcards: row(wildcards).get("paper", "Your own").partition(", ")[0],
        subcategory=lambda wildcards: row(wildcards)["plot"].replace("_", " ").capitalize(),
        labels=lambda wildcards: {"figure": SETTINGS.label(wildcards.figure) + what},
    )


def sheet_in_report(path, what=""):
    caption, labels = "../report/dataset.rst", {"dataset": f"{{dataset}}{what}"}
    return report(path, caption=caption, category="Datasets", labels=labels)


def claims_in_report(path, what, caption="claims"):
    caption = f"../report/{caption}.rst"
    return report(path, caption=caption, category="Claims", labels={"claims": what})
