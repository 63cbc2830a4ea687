"""Resolve requirements.in into the lock, and the lock into the environment for conda users.

python envs/lock.py            resolve (takes minutes; needs `pip install pip-tools`)
python envs/lock.py --conda    only write the conda environment from the lock as it stands
"""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
LOCK = HERE / "requirements.lock"
CONDA = HERE / "latents.yaml"
PYTHON = "3.11"
HEADER = """\
# Exact versions of everything, resolved by `make lock` from requirements.in: the source of truth.
# torch carries no hash, because the CPU and CUDA builds of one version differ.
"""


def resolve() -> str:
    """The lock: every version exact, every hash but torch's."""
    options = ["--generate-hashes", "--allow-unsafe", "--strip-extras", "--no-header", "--quiet"]
    options += ["--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    options += ["--output-file", "-", str(HERE / "requirements.in")]
    command = [sys.executable, "-m", "piptools", "compile", *options]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    text = re.sub(r"^(torch==[\d.]+)\S*( \\\n    --hash=\S+)+", r"\1", text, flags=re.MULTILINE)
    return HEADER + "".join(re.findall(r"^\S+==.*\n(?:    --hash.*\n)*", text, flags=re.MULTILINE))


def versions(lock: str) -> list[str]:
    """`name==version` of every package in a lock."""
    return re.findall(r"^([\w.-]+==[^\s\\]+)", lock, flags=re.MULTILINE)


def conda_environment(lock: str) -> str:
    """The same versions as an environment file for conda, mamba and `snakemake --sdm conda`."""
    packages = "".join(f"      - {version}\n" for version in versions(lock))
    return (
        "# Generated from requirements.lock by `make lock`; do not edit.\n"
        "channels:\n  - conda-forge\n  - nodefaults\n"
        f"dependencies:\n  - python={PYTHON}\n  - pip\n  - pip:\n{packages}"
    )


if __name__ == "__main__":
    if "--conda" not in sys.argv:
        LOCK.write_text(resolve())
    CONDA.write_text(conda_environment(LOCK.read_text()))
