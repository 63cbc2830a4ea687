import os
import re
import shlex
import sys
from pathlib import Path

BASE = Path(workflow.current_basedir).parent.resolve()
SCRIPTS = shlex.quote(str(BASE / "scripts"))
sys.path.insert(0, str(BASE))

from latents import config as configuration
from latents.budget import growing, training_minutes
from latents.config_rows import metric_of
from latents.devices import PLACES
from latents.file_care import keep_files_by_records, work_through_submissions
from latents.fingerprint import fingerprint
from latents.job_list import name_list, write_list
from latents.lock import write_owner
from latents.planning import plan_fast
from latents.problem import Problem
from latents.record import canonical
from latents.registry import constant, registry
from latents.scheduling import reevaluate_once_a_second
from latents.staleness import remember_by_records
from latents.step import CONFIGURATION, PROBLEMS

# Scripts import the library beside the Snakefile, and run on the Python that runs Snakemake.
os.environ["PYTHONPATH"] = str(BASE)
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
os.environ[CONFIGURATION] = canonical(
    config
)  # for the records: what the user set besides the files
# glibc gives large blocks back to the system at every step; keeping them is faster (benchmarks/).
os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(2**30))
os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(2**30))
os.environ.setdefault("MALLOC_TOP_PAD_", str(2**28))

plan_fast()
remember_by_records()
keep_files_by_records()
reevaluate_once_a_second()
try:
    SETTINGS = configuration.load(config)
except Problem as problem:
    sys.exit(f"Configuration error: {problem}")

SCALE = {**SETTINGS.scale, **SETTINGS.overrides}
STATE_EVERY = SCALE["state_every"]
RESULTS = f"results/{SETTINGS.options['scale']}"
DEVICE = SETTINGS.options["device"]
GPU = 0 if DEVICE == "cpu" else 1  # what a job on the device asks for
RUN = "{cell}/strength_{strength}/seed_{seed}"
SHOW = "2>&1 | tee {log}"
# What no figure reads itself may go once it was used; its record then stands for it.
FRUGAL = SETTINGS.options["keep"] == "figures"
EXPENDABLE = "--expendable" if FRUGAL else ""
KILLED = (
    "a job was ended before it could say why: killed, or out of memory; "
    "run the same command again to go on"
)

if workflow.is_main_process:
    name_list()
if workflow.remote_exec:
    workflow.register_resource("turn", 1)  # of jobs that were submitted together
    work_through_submissions()
elif workflow.local_exec and "gpu" in workflow.global_resources:
    os.environ[PLACES] = str(workflow.global_resources["gpu"].value)  # of profiles/gpu


wildcard_constraints:
    cell="|".join(SETTINGS.sweeps),
    dataset="|".join(SETTINGS.datasets),
    figure="|".join(SETTINGS.figures),
    metric="|".join([*registry("metrics"), "chen_mig"]),
    strength="|".join(
        sorted({re.escape(s) for cell in SETTINGS.sweeps for s in SETTINGS.strengths(cell)})
    ),
    seed=r"\d+",


onstart:
    write_owner(Path(".snakemake"))
    PROBLEMS.unlink(missing_ok=True)
    write_list(workflow.dag)


onerror:
    if PROBLEMS.exists():
        print("\nWhat went wrong:\n" + PROBLEMS.read_text(), end="", file=sys.stderr)
    else:
        print("\nWhat went wrong:\n" + KILLED, file=sys.stderr)


def job(rule, values, *modules):
    """All that decides a job's result besides its input files, as one canonical text.

    `modules` are the library modules that the script looks up by name.
    """
    entries = [f"scripts/{rule}.py", *(f"latents/{module}.py" for module in modules)]
    command = " ".join(getattr(rules, rule).rule.shellcmd.split())
    return canonical({"code": fingerprint(*entries), "command": command, "values": values})


def until_used(path):
    return temp(path) if FRUGAL else path


def cell_of(wildcards):
    return SETTINGS.sweeps[wildcards.cell]


def dataset_of(wildcards):
    return SETTINGS.datasets[cell_of(wildcards)["dataset"]]


def scale_of(wildcards):
    return SETTINGS.scale_of(wildcards.cell)


def model_modules(wildcards):
    """Modules that rebuild a trained model of a cell."""
    row = cell_of(wildcards)
    network = scale_of(wildcards)["network"]
    variation = dataset_of(wildcards).get("variation")
    variations = [f"variations/{variation}"] if variation else []
    return *variations, f"models/{network}", f"priors/{row['prior']}"


def runs_of(wildcards):
    """Which runs a cell has; scripts list them in the order of `representations_of`."""
    row = SETTINGS.sweeps[wildcards.cell]
    return {
        "cell": wildcards.cell,
        "dataset": row["dataset"],
        "study_method": row.get("study_method"),
        "strengths": row["strengths"],
        "seeds": scale_of(wildcards)["seeds"],
    }


def representations_of(wildcards):
    return [
        f"{RESULTS}/representations/{RUN}.h5".format(
            cell=wildcards.cell, strength=strength, seed=seed
        )
        for strength, seed in SETTINGS.runs(wildcards.cell)
    ]
