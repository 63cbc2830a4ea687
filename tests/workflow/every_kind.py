"""Jobs of every step and of every module that a configuration can name, built once."""

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path
from queue import Queue

import h5py
import numpy as np
from PIL import Image

from latents.runtime.fingerprint import fingerprint
from latents.runtime.record import content_digest, read_record
from latents.runtime.sources import import_closure
from latents.runtime.supervision import CONFIGURATION
from latents.workflow import settings
from latents.workflow.dry_run import Planned, planned_jobs
from latents.workflow.registry import registry
from tests.workflow.clones import Clone, copy_of_project

Kind = tuple[str, tuple[str, ...]]  # a step, and the modules that it loads by name
SWEEPS = """
every_conv:
  <<: *beta_vae
  title: convolutions
  dataset: dsprites
  strengths: [1]
  overrides: {any: {network: conv}}
every_gaussian:
  <<: *beta_vae
  title: another prior
  dataset: mine
  strengths: [1]
  prior: generalised_gaussian
  prior_options: {p: 1.5, scale: 2.0}
"""
DATASETS = """
mine:
  title: my images
  reader: own_hdf5
  originals: [{file: mine.h5}]
  options: {nuisances: []}
pictures:
  title: my pictures
  reader: own_folder
  originals: [{file: my pictures/factors.csv}]
"""
CORES = 2
KINDS = "kinds.pickle"  # written by these tests themselves
CORRELATIONS = """
every_pair:
  paper: none
  title: two scores
  representation: mean
  cells: [dsprites_beta_vae]
  rows: [total_correlation]
  columns: [averaged_mutual_information]
"""
CELL = "results/smoke/{}/dsprites_beta_vae{}"


def add_kinds(clone: Clone) -> None:
    """Shrink the scale, and add cells and datasets for modules that no row names."""
    clone.edit("config/scales/smoke.yaml", "seeds: 2\nsteps: 200", "seeds: 1\nsteps: 40")
    more = {"sweeps": SWEEPS, "datasets": DATASETS, "correlations": CORRELATIONS}
    for file, rows in more.items():
        path = clone.folder / "config" / f"{file}.yaml"
        path.write_text(path.read_text() + rows)
    random = np.random.RandomState(0)
    folder = clone.folder / "data" / "my pictures"
    folder.mkdir(parents=True)
    with h5py.File(clone.folder / "data" / "mine.h5", "w") as file:
        file["images"] = random.randint(256, size=(60, 64, 64, 1)).astype(np.uint8)
        file["factors"] = random.randint(4, size=(60, 2))
        file["factors"].attrs["names"] = ["height", "brightness"]
    for i in range(6):
        Image.fromarray(np.full((64, 64), 40 * i, np.uint8)).save(folder / f"{i}.png")
    lines = ["file,grey", *(f"{i}.png,{i}" for i in range(6))]
    (folder / "factors.csv").write_text("\n".join(lines))
    codes = random.randn(300, 4)
    np.savez(
        clone.folder / "mine.npz",
        mean=codes,
        variance=np.full_like(codes, 0.1),
        factors=random.randint(3, size=(300, 2)),
    )


def options() -> list[str]:
    return ["--config", "scale=smoke", 'representations={"mine": "mine.npz"}']


def all_jobs(clone: Clone) -> list[Planned]:
    """Return every job of the configuration, and of each metric on one cell."""
    rows = settings.load({"scale": "smoke"})
    datasets = {*rows.datasets, "mine", "pictures"} - {"shapes3d", "mpi3d_toy"}  # without twins
    metrics = registry("evaluation/metrics")
    targets = ["all", *(CELL.format("scores", f"/{metric}.csv") for metric in metrics)]
    targets += [f"figures/datasets/{name}.pdf" for name in sorted(datasets)]
    targets += ["results/smoke/correlations/every_pair.csv"]
    cells = [*rows.sweeps, "every_conv", "every_gaussian"]
    targets += [f"results/smoke/variables/{cell}.csv" for cell in cells]
    targets += [CELL.format(kind, ".csv") for kind in ("correlation_matrices", "latents")]
    targets += [CELL.format("decompositions", "/strength_1/seed_0.csv"), "figures/fig9.crate.zip"]
    targets += ["results/diagnoses/mine/advice.txt"]
    return planned_jobs(targets, ["--forceall", *options()], clone.folder, clone.folder)


def kind_of(job: Planned) -> Kind:
    return job.step.name, tuple(job.step.job["modules"])


def in_order(jobs: list[Planned]) -> list[Planned]:
    """Return jobs after those whose outputs they read."""
    makers = {path: job for job in jobs for path in job.outputs}
    placed: dict[Path, Planned] = {}

    def place(job: Planned) -> None:
        if job.outputs[0] not in placed:
            for path in job.inputs:
                if path in makers:
                    place(makers[path])
            placed[job.outputs[0]] = job

    for job in jobs:
        place(job)
    return list(placed.values())


def one_of_each(jobs: list[Planned]) -> dict[Kind, Planned]:
    """Return the first job of every kind."""
    return {kind_of(job): job for job in reversed(jobs)}


@dataclass
class Server:
    """Runs single jobs of a built clone."""

    folder: Path
    process: subprocess.Popen

    def ask(self, **wanted) -> dict:
        self.process.stdin.write(json.dumps({"folder": str(self.folder), **wanted}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def run_bare(self, job: Planned, tree: Path, **wanted) -> dict[str, str] | str:
        """Return the digests of what a step's function writes by itself; or what went wrong."""
        with tempfile.TemporaryDirectory() as name:
            key = read_record(self.folder / job.outputs[0])["key"]
            told = self.ask(
                tree=str(tree),
                step=job.step.name,
                arguments=arguments(job, Path(name)),
                key=key,
                whole=False,
                **wanted,
            )
            made = {str(path): Path(name) / path.name for path in job.outputs}
            return told["error"] or {path: content_digest(file) for path, file in made.items()}


def arguments(job: Planned, into: Path | None = None) -> list[str]:
    """Return the words of a job's command line; outputs go to another folder if one is given."""
    step = job.step
    outputs = {n: [into / p.name if into else p for p in ps] for n, ps in step.outputs.items()}
    settings = dict(step.settings)
    if into and "states" in settings:
        settings["states"] = str(into / "states")
    words = [json.dumps(step.job)]
    for option, files in (("--in", step.inputs), ("--out", outputs)):
        words.append(option)
        for name, paths in files.items():
            first, *rest = [str(path) for path in paths] or [""]
            words += [f"{name}={first}", *rest]
    return [*words, "--with", *(f"{key}={value}" for key, value in settings.items())]


def start_server(folder: Path) -> Server:
    script = Path(__file__).with_name("job_server.py")
    pipe = subprocess.PIPE
    command = [sys.executable, str(script)]
    alone = {**os.environ, "OMP_NUM_THREADS": "1"}  # as Snakemake tells a job of one thread
    return Server(folder, subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=alone))


@dataclass(frozen=True)
class Everything:
    """A clone in which a job of every kind is built; not to be changed."""

    clone: Clone
    jobs: list[Planned]  # of which most are not built
    kinds: dict[Kind, Planned]
    server: Server

    def digests(self, kinds: Iterable[Kind] | None = None) -> dict[Kind, str]:
        """Return the fingerprints of kinds, of the sources that are read at present."""
        return {kind: fingerprint(*kind).digest for kind in kinds or self.kinds}

    def with_followers(self, kinds: set[Kind]) -> set[Kind]:
        """Return kinds of which all jobs are among these, or read what such jobs make."""
        changed: set[Path] = set()
        others: set[Kind] = set()
        for job in self.jobs:  # each after those whose outputs it reads
            if kind_of(job) in kinds or changed & set(job.inputs):
                changed |= set(job.outputs)
            else:
                others.add(kind_of(job))
        return set(self.kinds) - others


def files_of(kind: Kind) -> set[str]:
    """Return all files that a job of this kind may import."""
    step, modules = kind
    entries = [f"scripts/{step}.py", *(f"latents/{module}.py" for module in modules)]
    return {file for entry in entries for file in import_closure(entry)}


def build_everything(folder: Path) -> None:
    """Build all figures and claims, and a job of every other kind."""
    clone = copy_of_project(folder)
    add_kinds(clone)
    jobs = all_jobs(clone)
    kinds = one_of_each(jobs)
    targets = ["all", *(str(job.outputs[0]) for job in kinds.values())]
    run_all(planned_jobs(targets, options(), folder, folder), folder)
    (folder / KINDS).write_bytes(pickle.dumps((in_order(jobs), kinds)))


def run_all(jobs: list[Planned], folder: Path) -> None:
    """Run jobs as their rules do, two at a time, without starting Python for each of them."""
    named = {job.outputs[0]: job for job in jobs}
    makers = {path: name for name, job in named.items() for path in job.outputs}
    order = TopologicalSorter(
        {name: {makers[p] for p in job.inputs if p in makers} for name, job in named.items()}
    )
    order.prepare()
    idle: Queue[Server] = Queue()
    for _ in range(CORES):
        idle.put(start_server(folder))

    def run(name: Path) -> Path:
        server, job = idle.get(), named[name]
        variables = {CONFIGURATION: "{}"}
        words = {"step": job.step.name, "arguments": arguments(job), "whole": True}
        told = server.ask(tree=str(folder), variables=variables, **words)
        idle.put(server)
        assert told["error"] is None, f"{name}: {told}"
        return name

    with ThreadPoolExecutor(CORES) as pool:
        running: set[Future[Path]] = set()
        while order.is_active():
            running |= {pool.submit(run, name) for name in order.get_ready()}
            done, running = wait(running, return_when=FIRST_COMPLETED)
            order.done(*(future.result() for future in done))
    for _ in range(CORES):
        idle.get().process.kill()


def read_everything(folder: Path) -> Everything:
    jobs, kinds = pickle.loads((folder / KINDS).read_bytes())
    return Everything(Clone(folder), jobs, kinds, start_server(folder))
