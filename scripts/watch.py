"""Show how far a running workflow is, from the files on disk alone.

python scripts/watch.py [--once]
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.lock import is_locked
from latents.problem import Problem
from latents.watch import Watch
from latents.watch_text import describe

SECONDS_BETWEEN_LOOKS = 5
CLEAR = "\x1b[H\x1b[J"


def main() -> None:
    parser = argparse.ArgumentParser(prog="watch.py", description=__doc__.splitlines()[0])
    parser.add_argument("--once", action="store_true", help="one look instead of many")
    once = parser.parse_args().once
    watch = Watch()
    while True:
        goes_on = is_locked(Path(".snakemake"))  # before the look: what ends meanwhile is seen
        now = time.time()
        text = "\n".join(describe(watch, watch.look(now), now))
        print(CLEAR * sys.stdout.isatty() + text, flush=True)
        if not goes_on:
            print("No workflow is running in this folder any more.")
        if once or not goes_on:
            return
        time.sleep(SECONDS_BETWEEN_LOOKS)


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"watch: {problem}")
    except KeyboardInterrupt:
        pass
