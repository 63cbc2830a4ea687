"""Make a target's chain again in a scratch folder and compare. Exit code 0 only if all agrees.

python scripts/verify.py figures/fig9.pdf [--sample 2] [--seed 1]
"""

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.audit import audit
from latents.chain import read_chain
from latents.comparison import DIVERGES, IDENTICAL, WITHIN
from latents.problem import Problem
from latents.record import read_record
from latents.verification import (
    Compared,
    choose_sample,
    compare_all,
    machine_changes,
    rebuild,
    rebuild_sample,
    refuse_broken,
)

VERDICTS = (IDENTICAL, WITHIN, DIVERGES)


def main() -> int:
    parser = argparse.ArgumentParser(prog="verify.py", description=__doc__.splitlines()[0])
    parser.add_argument("target", type=Path, help="any artefact, or a copy of one")
    parser.add_argument("--sample", type=int, metavar="N", help="only N jobs of each step")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default: 0)")
    parser.add_argument("--cores", default="1")
    given = parser.parse_args()
    if given.sample is not None and given.sample < 1:
        raise Problem(f"a sample of {given.sample} jobs is none")
    here = Path()
    audited = audit(given.target, here)
    if changes := refuse_broken(audited):
        print(
            "The present code, configuration or data are not the recorded ones; two are compared:"
        )
        print("\n".join(f"  {change}" for change in changes))
    chain = read_chain(audited.target, lambda path: read_record(here / path))
    steps, scratch = chain.steps(), Path(tempfile.mkdtemp(prefix="latents-verify-"))
    print(f"Rebuilding {chain.target} in {scratch}", flush=True)
    if given.sample is None:
        rebuild(chain, here, scratch, given.cores)
    else:
        steps = choose_sample(steps, given.sample, given.seed)
        rebuild_sample(chain, steps, here, scratch, given.cores)
    found = compare_all(steps, here, scratch, sampled=given.sample is not None)
    return conclude(found, here, scratch)


def conclude(found: list[Compared], here: Path, scratch: Path) -> int:
    """A table of what came out; the rebuilt files are kept where they are other ones."""
    counts = Counter((one.step, one.agreement.verdict) for one in found)
    print(f"\n{'step':<24}{'artefacts':>10}" + "".join(f"{verdict:>18}" for verdict in VERDICTS))
    for step in dict.fromkeys(one.step for one in found):
        numbers = [counts[step, verdict] for verdict in VERDICTS]
        print(f"{step:<24}{sum(numbers):>10}" + "".join(f"{number:>18}" for number in numbers))
    diverging = [one for one in found if one.agreement.verdict == DIVERGES]
    if not diverging:
        shutil.rmtree(scratch)
        print("All of it came out again.")
        return 0
    first = diverging[0]
    print(f"The first step that diverges is {first.step}: {first.path}: {first.agreement.detail}")
    if changes := machine_changes(first.path, here, scratch):
        print(f"Recorded and rebuilt on different machines: {', '.join(changes)}")
    print(f"The rebuilt files are kept in {scratch}")
    return 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Problem, OSError) as problem:  # a full disk, most likely
        sys.exit(f"verify: {problem}")
