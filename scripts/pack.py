"""Pack a finished target, and all that it rests on, for another clone of the project.

python scripts/pack.py figures/fig9.pdf [fig9.pack.zip]
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.audit import locate
from latents.pack import write_pack
from latents.problem import Problem


def main() -> None:
    parser = argparse.ArgumentParser(prog="pack.py", description=__doc__.splitlines()[0])
    parser.add_argument("target", type=Path, help="any artefact that is built")
    parser.add_argument("file", type=Path, nargs="?", help="the pack (default: <name>.pack.zip)")
    given = parser.parse_args()
    here = Path()
    target = locate(given.target, here)
    file = given.file or Path(f"{Path(target).stem}.pack.zip")
    chain, manifest = write_pack(target, here, file)
    size = sum(entry["bytes"] for entry in manifest["files"]) / 1e6
    print(f"{file}: {target} with all that it rests on, {len(chain.jobs)} jobs, {size:,.1f} MB")
    for name, found in chain.given.items():
        print(f"not in it, because it is a file of yours: {name} (sha256 {found})")
    print(f"In another clone of the project: make unpack FILE={file.name}")


if __name__ == "__main__":
    try:
        main()
    except (Problem, OSError) as problem:  # a full disk, most likely
        sys.exit(f"pack: {problem}")
