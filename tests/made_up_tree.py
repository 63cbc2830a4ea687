"""A made-up tree: small files and true records, as if every job of a plan had run."""

import hashlib
import json
from pathlib import Path
from typing import Any

from latents.plan import Planned
from latents.record import job_key, record_path, sealed


def make_up(folder: Path, jobs: list[Planned], configuration: dict[str, Any]) -> None:
    """Jobs stand after those they depend on; a file's content is its own path."""
    digests: dict[str, str] = {}
    for job in jobs:
        inputs = {str(path): digests[str(path)] for path in job.inputs}
        outputs = {str(path): _write(folder, path) for path in job.outputs}
        digests |= outputs
        record = json.dumps(_record(job, inputs, outputs, configuration))
        for path in job.outputs:
            record_path(folder / path).write_text(record)


def _write(folder: Path, path: Path) -> str:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(str(path))
    return hashlib.sha256(str(path).encode()).hexdigest()


def _record(
    job: Planned, inputs: dict[str, str], outputs: dict[str, str], configuration: dict[str, Any]
) -> dict[str, Any]:
    key = job_key(job.step.job, inputs)
    return sealed(
        {
            "format": 2,
            "step": job.step.name,
            "key": key,
            "identifier": key,
            "job": job.step.job,
            "inputs": inputs,
            "outputs": outputs,
            "also_read": {},
            "settings": {},
            "configuration": configuration,
            "seeds": [],
            "data": [],
            "code": {"commit": None, "changed": []},
            "environment": {},
            "started": "2026-01-02T03:04:05+00:00",
            "seconds": 1.0,
            "cpu_seconds": 1.0,
            "peak_memory_mb": 1,
        }
    )
