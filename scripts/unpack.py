"""Take in a pack: check all of it, place what is not here yet, and say what is stale.

python scripts/unpack.py fig9.pack.zip
"""

import argparse
import shlex
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.explain import costs_of, explain
from latents.measured import measurements
from latents.plan import config_options, planned_jobs
from latents.problem import Problem
from latents.record import digest
from latents.unpack import Pack, check_pack, place_pack


def main() -> None:
    parser = argparse.ArgumentParser(prog="unpack.py", description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="a pack that make pack wrote")
    here = Path()
    pack = check_pack(parser.parse_args().file)
    placed = place_pack(pack, here)
    files = len(pack.manifest["files"])
    commit = str(pack.manifest["code"]["commit"])[:7]
    print(f"{pack.chain.target}, made at commit {commit}: {len(placed)} files were placed", end="")
    print(f", {files - len(placed)} were here already" if len(placed) < files else "")
    for name, found in pack.chain.given.items():
        if not Path(name).is_file() or digest(Path(name)) != found:
            print(
                f"made from {name}, which packs leave out: put the file with sha256 {found} there"
            )
    say_what_is_stale(pack, here)


def say_what_is_stale(pack: Pack, folder: Path) -> None:
    """What Snakemake thinks of the files here, and how to ask it."""
    target, options = pack.chain.target, config_options(pack.chain.configuration)
    command = shlex.join(["snakemake", "--cores", "all", target, *options])
    try:
        jobs = planned_jobs([target], options, folder)
    except Problem as problem:
        print(f"Snakemake cannot plan it here yet: {problem}")
        return
    if jobs:
        print("The code or configuration here is not the pack's, so these count as stale:")
        print("\n".join(explain(jobs, folder, costs_of(measurements(folder)))))
        print(f"To build them anew: {command}")
    else:
        print(f"All of it is up to date here: {command}")
        print(f"Where it comes from: python scripts/audit.py {target}")


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"unpack: {problem}")
