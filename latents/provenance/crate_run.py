"""The jobs of a chain in terms of the Workflow Run RO-Crate profiles.

Every job is a `CreateAction` whose instrument is its script. A `ControlAction` links it to its step
of the workflow, and one `OrganizeAction` of Snakemake links the steps to the run as a whole.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from latents.provenance.chain import Chain, Record, first_output, record_file
from latents.runtime.record import canonical

DONE = "http://schema.org/CompletedActionStatus"
LANGUAGE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"


@dataclass(frozen=True)
class Draft:
    """An unfinished crate, and the entities of its files by path."""

    crate: ROCrate
    files: dict[str, Any]

    def add(self, identifier: str, kind: str, **properties: Any) -> Any:
        """Add an entity that is no file; adding it again changes nothing."""
        content = {"@type": kind, **properties}
        return self.crate.add(ContextEntity(self.crate, quote(identifier, safe=":/#"), content))


def add_workflow(draft: Draft, chain: Chain) -> None:
    """Add the Snakefile, a step for every kind of job, and the script that does it."""
    workflow, last = draft.files["Snakefile"], chain.jobs[-1]
    steps = dict.fromkeys(job["step"] for job in chain.jobs)
    tools = [_add_tool(draft, [job for job in chain.jobs if job["step"] == s]) for s in steps]
    types = ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"]
    workflow.properties()["@type"] = types
    workflow["name"] = "latents"
    workflow["version"] = last["code"]["commit"] or "unknown"
    workflow["hasPart"] = tools
    workflow["step"] = [_add_step(draft, step) for step in steps]
    workflow["input"] = [_add_parameter(draft, workflow, name) for name in last["configuration"]]
    workflow["programmingLanguage"] = draft.add(
        LANGUAGE,
        "ComputerLanguage",
        name="Snakemake",
        url="https://snakemake.github.io",
        version=last["environment"]["snakemake"],
    )


def _add_tool(draft: Draft, jobs: list[Record]) -> Any:
    """Add the script of some jobs, with their parameters and all the software that they used."""
    step = jobs[0]["step"]
    tool = draft.files[f"scripts/{step}.py"]
    tool.properties()["@type"] = ["File", "SoftwareSourceCode"]
    tool["name"] = step
    tool["version"] = jobs[0]["job"]["code"]
    names = sorted({name for job in jobs for name in job["job"]["values"]})
    tool["input"] = [_add_parameter(draft, tool, name) for name in names]
    used = {pair for job in jobs for pair in job["environment"]["packages"].items()}
    used |= {("Python", job["environment"]["python"]) for job in jobs}
    tool["softwareRequirements"] = [_add_software(draft, *pair) for pair in sorted(used)]
    return tool


def _add_step(draft: Draft, step: str) -> Any:
    tool = draft.files[f"scripts/{step}.py"]
    return draft.add(f"#step/{step}", "HowToStep", name=step, workExample=tool)


def _add_software(draft: Draft, name: str, version: str) -> Any:
    identifier = f"#software/{name}/{version}"
    return draft.add(identifier, "SoftwareApplication", name=name, softwareVersion=version)


def _add_parameter(draft: Draft, owner: Any, name: str) -> Any:
    identifier = f"#parameter/{owner['name']}/{name}"
    return draft.add(identifier, "FormalParameter", name=name, additionalType="PropertyValue")


def _add_values(draft: Draft, owner: Any, values: dict[str, Any]) -> list[Any]:
    """Add the values of a script or the workflow, one per parameter; compound ones as JSON."""
    return [
        draft.add(
            f"#value/{owner['name']}/{name}/{hashlib.sha256(canonical(value).encode()).hexdigest()}",
            "PropertyValue",
            name=name,
            value=value if isinstance(value, str | int | float) else canonical(value),
            exampleOfWork=_add_parameter(draft, owner, name),
        )
        for name, value in values.items()
    ]


def add_run(draft: Draft, chain: Chain, targets: list[str]) -> None:
    """Add all jobs, and the run of the workflow that they make up."""
    workflow, last = draft.files["Snakefile"], chain.jobs[-1]
    controls = [_add_job(draft, job) for job in chain.jobs]
    given = [draft.files[name] for name in chain.given]
    run = draft.add(
        "#run",
        "CreateAction",
        name=f"All jobs that made {', '.join(targets)}",
        description="They need not have run one right after the other.",
        instrument=workflow,
        object=[*given, *_add_values(draft, workflow, last["configuration"])],
        result=[draft.files[name] for name in targets],
        startTime=min(job["started"] for job in chain.jobs),
        endTime=max(map(end, chain.jobs)),
        actionStatus=DONE,
    )
    organised = draft.add(
        "#organisation",
        "OrganizeAction",
        name="Snakemake's run of the workflow",
        instrument=_add_software(draft, "Snakemake", last["environment"]["snakemake"]),
        object=controls,
        result=run,
    )
    draft.crate.root_dataset.append_to("mentions", [run, organised])


def _add_job(draft: Draft, job: Record) -> Any:
    """Add what a script did, and the step of the workflow that started it."""
    first, step, where = first_output(job), job["step"], job["environment"]
    tool = draft.files[f"scripts/{step}.py"]
    read = [draft.files[name] for name in {**job["inputs"], **job["also_read"]}]
    action = draft.add(
        f"#job/{first}",
        "CreateAction",
        name=f"{step}: {first}",
        description=f"Job {job['key']}: {job['seconds']} s on {where['system']}, {where['cpu']}",
        instrument=tool,
        object=[*read, *_add_values(draft, tool, job["job"]["values"])],
        result=[draft.files[name] for name in job["outputs"]],
        subjectOf=draft.files[record_file(job)],
        startTime=job["started"],
        endTime=end(job),
        actionStatus=DONE,
    )
    draft.crate.root_dataset.append_to("mentions", action)
    asked = _add_step(draft, step)
    return draft.add(
        f"#control/{first}", "ControlAction", name=step, instrument=asked, object=action
    )


def end(job: Record) -> str:
    """Return when a job was done."""
    moment = datetime.fromisoformat(job["started"]) + timedelta(seconds=job["seconds"])
    return moment.isoformat(timespec="seconds")
