"""Made-up audits and trees, with all that belongs to them, and made-up tables of runs."""

import hashlib
import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from latents.claims.examination import tabulate_runs
from latents.claims.finding import Standards
from latents.provenance.audit import FRESH, Audit, Node
from latents.runtime.fingerprint import fingerprint
from latents.runtime.record import digest, job_key, record_path, sealed
from latents.workflow.dry_run import Planned

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PACKAGES = ("h5py", "numpy", "pandas", "safetensors", "scipy", "torch")
LINE = "{}: step {:,}/300,000  loss 643.6  reconstruction 629.7  kl 9.113  24.6 steps/s"
STANDARDS = Standards(level=0.05, permutations=999, seeds=2)
STRENGTHS = (1, 2, 4, 6, 8, 16)
TYPES = ["active"] * 5 + ["mixed"] * 2 + ["passive"] * 3
COMBINATIONS = ("full", "active", "mixed", "passive", "active_mixed", "active_passive")
COMBINATIONS += ("mixed_passive", "random")


def made_up_audit(folder: Path, *, cells: int = 1, strengths: int = 2, seeds: int = 1) -> Audit:
    """A fresh figure from trainings of several cells; logs and histories lie in the folder."""
    data = _node("results/datasets/dsprites.h5", "prepare_dataset", [])
    nodes, scores = [data], []
    for cell in (f"dsprites_cell_{number}" for number in range(cells)):
        runs = [f"{cell}/strength_{s}/seed_{i}" for s in range(strengths) for i in range(seeds)]
        models = [_model(run, data, folder) for run in runs]
        codes = [
            _node(f"results/paper/representations/{run}.h5", "encode_representation", [data, model])
            for run, model in zip(runs, models, strict=True)
        ]
        types = _node(f"results/paper/variables/{cell}.csv", "classify_variables", codes)
        score = _node(f"results/paper/scores/{cell}/mi.csv", "score_metric", [*codes, types])
        nodes += [*models, *codes, types, score]
        scores.append(score)
    drawn = _node("results/paper/figures/fig9.pdf", "draw_figure", scores)
    nodes += [drawn, _node("figures/fig9.pdf", "publish_figure", [drawn])]
    return Audit("figures/fig9.pdf", {node.path: node for node in nodes})


def changed(audit: Audit, path: str, **fields: object) -> Audit:
    """The audit with another view of one artefact."""
    return replace(audit, nodes={**audit.nodes, path: replace(audit.nodes[path], **fields)})


def model_paths(audit: Audit) -> list[str]:
    return [node.path for node in audit.nodes.values() if node.step == "train_model"]


def _model(run: str, data: Node, folder: Path) -> Node:
    """A node whose history has 100 rows and whose log has more lines than a page shows."""
    path = f"results/paper/models/{run}/model.safetensors"
    log = f"results/paper/logs/train_model/{run}.log"
    history = (folder / path).with_name("history.csv")
    history.parent.mkdir(parents=True)
    rows = [f"{step},{2000 / step + 0.1234567:.10f}" for step in range(3000, 300_001, 3000)]
    history.write_text("\n".join(["step,loss", *rows]) + "\n")
    (folder / log).parent.mkdir(parents=True, exist_ok=True)
    (folder / log).write_text("".join(LINE.format(run, step) + "\n" for step in range(60)))
    node = _node(path, "train_model", [data], log)
    outputs = {**node.record["outputs"], str(history.relative_to(folder)): digest(history)}
    return replace(node, record={**node.record, "outputs": outputs})


def _node(path: str, step: str, inputs: list[Node], log: str | None = None) -> Node:
    names = sorted(node.path for node in inputs)
    return Node(path, step, FRESH, [], _hash(path), names, log, _record(path, step, inputs))


def _record(path: str, step: str, inputs: list[Node]) -> dict:
    values = {"name": path, "seed": 0, "budget": {"steps": 300_000, "learning_rate": 1e-4}}
    units = {
        f"latents/m_{i}.py": {f"f_{j}": _hash(f"{step}{i}{j}")[:10] for j in range(5)}
        for i in range(23)
    }
    return {
        "format": 3,
        "step": step,
        "key": _hash(path)[:16],
        "identifier": _hash(path)[:16],
        "job": {
            "values": values,
            "code": _hash(step)[:16],
            "modules": [],
            "inputs": _hash(path)[:16],
            "command": f"python {step}.py " + "--out x " * 50,
        },
        "units": units,
        "inputs": {node.path: node.digest for node in inputs},
        "outputs": {path: _hash(path)},
        "also_read": {},
        "settings": {"device": "auto"},
        "configuration": {"scale": "paper"},
        "seeds": [0],
        "data": ["dSprites re-rendered"],
        "code": {"commit": COMMIT, "changed": []},
        "environment": {
            "python": "3.11.7",
            "packages": dict.fromkeys(PACKAGES, "1.0"),
            "gpu": "GPU",
        },
        "started": "2026-01-02T03:04:05+00:00",
        "seconds": 3600.5,
        "cpu_seconds": 3500.25,
        "peak_memory_mb": 773,
        "seal": _hash(path + "seal"),
    }


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def make_up(folder: Path, jobs: list[Planned], configuration: dict[str, Any]) -> None:
    """Files and records as if every job of a plan had run; a file's content is its own path.

    Jobs stand after those they depend on.
    """
    digests: dict[str, str] = {}
    for job in jobs:
        inputs = {str(path): digests[str(path)] for path in job.inputs}
        outputs = {str(path): _hash(str(path)) for path in job.outputs}
        digests |= outputs
        for path in job.outputs:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(str(path))
        key = job_key(job.step.job, inputs)
        record = {"format": 3, "step": job.step.name, "key": key, "identifier": key}
        record["units"] = fingerprint(job.step.name, tuple(job.step.job.get("modules", []))).units
        record |= {"job": job.step.job, "inputs": inputs, "outputs": outputs, "also_read": {}}
        record |= {"settings": {}, "configuration": configuration, "seeds": [], "data": []}
        record |= {"code": {"commit": None, "changed": []}, "started": "2026-01-02T03:04:05+00:00"}
        record |= {"environment": {"python": "3.11.2", "packages": {}}}
        record |= {"seconds": 1.0, "cpu_seconds": 1.0, "peak_memory_mb": 1}
        place = record_path(folder / job.outputs[0])
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(sealed(record)))


def runs(value, seeds: int = 2, strengths=STRENGTHS, against=None) -> pd.DataFrame:
    """A table of runs; `value` is a list of numbers or a function of strength and seed."""
    pairs = [(s, seed) for s in strengths for seed in range(seeds)]
    values = [value(*pair) for pair in pairs] if callable(value) else list(value)
    index = pd.MultiIndex.from_tuples(pairs, names=["strength", "seed"])
    terms = {"v": pd.Series(values, index, dtype=float)}
    if against is not None:
        terms["x"] = pd.Series(list(against), index, dtype=float)
    return tabulate_runs(terms, value="v", against="strength" if against is None else "x")


def a_table(name: str, strengths: list[float], seeds: int, random: np.random.RandomState):
    """Noise with the columns of one of the workflow's tables."""
    pairs = [{"strength": s, "seed": seed} for s in strengths for seed in range(seeds)]
    kind, *_, last = name.split("/")
    rows = {"scores": score_rows, "variables": latent_rows, "latents": latent_rows}
    make = rows.get(kind, snapshot_rows)
    return pd.DataFrame([{**pair, **row} for pair in pairs for row in make(last, random)])


def score_rows(metric: str, random) -> list[dict]:
    names = [metric]
    if metric.startswith("downstream"):
        names = [f"{metric}_accuracy_{n}" for n in (100, 1000)] + [f"{metric}_efficiency"]
    return [
        {
            "source": "made up",
            "metric": name,
            "representation": representation,
            "combination": combination,
            "score": random.rand(),
        }
        for name in names
        for representation in ("mean", "sampled")
        for combination in COMBINATIONS
    ]


def latent_rows(_: str, random) -> list[dict]:
    numbers = ["mean_of_mean", "variance_of_mean", "mean_of_sampled", "variance_of_sampled"]
    numbers += ["distance_to_normal", "distance_mean_sampled", "largest_correlation"]
    numbers += ["variance_of_variance", "mean_variance"]
    return [
        {"source": "made up", "latent": j, "type": kind, "peak_holds_zero": bool(j % 2)}
        | {column: random.rand() for column in numbers}
        for j, kind in enumerate(TYPES)
    ]


def snapshot_rows(_: str, random) -> list[dict]:
    return [
        {"step": step, "a": a, "b": b, "correlation": random.uniform(-1, 1)}
        for step in (10, 20, 30)
        for a, b in combinations(range(len(TYPES)), 2)
    ]
