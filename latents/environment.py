"""What a job ran on: packages, machine, threads, and the state of the code.

Read for the record beside an artefact; never part of the artefact itself.
"""

import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from latents.fingerprint import ROOT
from latents.record import digest

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
    """Python, the lock, the packages this process uses, and the machine."""
    return {
        "python": platform.python_version(),
        "lock": digest(LOCK) if LOCK.is_file() else None,
        "packages": {p: _version(p) for name, p in PACKAGES.items() if name in sys.modules},
        "snakemake": _version("snakemake"),
        "host": platform.node(),
        "system": f"{platform.system()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        **_torch_facts(),
    }


def describe_code() -> dict[str, Any]:
    """The commit, and which files of the code differ from it; nothing known without git."""
    commit = _git("rev-parse", "HEAD")
    lines = _git("--no-optional-locks", "status", "--porcelain", "--", *CODE)
    changed = [line[3:] for line in (lines or "").splitlines()]
    return {"commit": commit.strip() if commit else None, "changed": sorted(changed)}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cpu() -> str:
    """The model of the processor; Python itself knows it on few systems."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if "model name" in line), "")


def _torch_facts() -> dict[str, Any]:
    """Threads, and the GPU if one was used; nothing where torch was not loaded."""
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
