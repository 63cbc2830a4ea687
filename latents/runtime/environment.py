"""The environment of a job: packages, machine, threads, and the state of the code.

It is read for a job's record and never part of an artefact itself.
"""

import os
import platform
import resource
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from latents.runtime.record import digest
from latents.runtime.sources import ROOT

COUNTING = "LATENTS_PACKAGES_COUNT"  # set where results of other versions are stale
LOCK = ROOT / "envs" / "requirements.lock"
# Where a change can change a result or which results there are.
CODE = ("Snakefile", "config", "envs", "latents", "profiles", "rules", "scripts")
# Packages that compute or write something, by the name they are imported under.
PACKAGES = {
    "h5py": "h5py",
    "lightgbm": "lightgbm",
    "matplotlib": "matplotlib",
    "numpy": "numpy",
    "pandas": "pandas",
    "PIL": "pillow",
    "rocrate": "rocrate",
    "safetensors": "safetensors",
    "scipy": "scipy",
    "seaborn": "seaborn",
    "sklearn": "scikit-learn",
    "torch": "torch",
}


def describe_environment() -> dict[str, Any]:
    """Return Python, the lock, the packages this process uses, and the machine."""
    return {
        "python": platform.python_version(),
        "lock": digest(LOCK) if LOCK.is_file() else None,
        "packages": package_versions(sys.modules),
        "snakemake": _version("snakemake"),
        "host": platform.node(),
        "system": f"{platform.system()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        **_torch_facts(),
    }


def other_versions(environment: dict[str, Any]) -> list[str]:
    """Return `torch 2.12, here 2.13` for packages of a recorded environment that differ here."""
    here = _present_versions()
    return [
        f"{name} {version}, here {here.get(name) or 'none'}"
        for name, version in sorted(environment["packages"].items())
        if version != here.get(name)
    ]


@cache
def _present_versions() -> dict[str, str | None]:
    return package_versions(PACKAGES)


def package_versions(names: Iterable[str]) -> dict[str, str | None]:
    """Return the versions of packages, given by the names they are imported under."""
    return {p: _version(p) for name, p in PACKAGES.items() if name in names}


def describe_code() -> dict[str, Any]:
    """Return the commit, and which files of the code differ from it; unknown without git."""
    commit = _git("rev-parse", "HEAD")
    lines = _git("--no-optional-locks", "status", "--porcelain", "--", *CODE)
    changed = [line[3:] for line in (lines or "").splitlines()]
    return {"commit": commit.strip() if commit else None, "changed": sorted(changed)}


def peak_memory_mb() -> int:
    """Return the most memory this process had; the system counts in kB, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 2**20 if sys.platform == "darwin" else peak // 2**10


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cpu() -> str:
    """Return the model of the processor, which Python itself knows on few systems."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if "model name" in line), "")


def _torch_facts() -> dict[str, Any]:
    """Return threads, and the GPU if one was used; nothing if torch was not loaded."""
    torch = sys.modules.get("torch")
    if torch is None:
        return {}
    used = torch.cuda.is_initialized()
    return {
        "threads": torch.get_num_threads(),
        "gpu": torch.cuda.get_device_name() if used else None,
        "cuda": torch.version.cuda if used else None,
    }


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *words], capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
