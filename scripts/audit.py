"""Where does this come from, and is it still true? Exit code 0 only if all of it is.

python scripts/audit.py figures/fig9.pdf [--every] [--json] [--html FILE]
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.audit import audit
from latents.audit_page import write_page
from latents.audit_text import as_json, summary, tree
from latents.problem import Problem


def main() -> int:
    parser = argparse.ArgumentParser(prog="audit.py", description=__doc__.splitlines()[0])
    parser.add_argument("target", type=Path, help="any artefact, or a copy of one")
    parser.add_argument("--directory", type=Path, default=Path(), help="the folder of results/")
    parser.add_argument("--every", action="store_true", help="a line for every artefact")
    parser.add_argument("--json", action="store_true", help="all of it, for machines")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write it as a page")
    given = parser.parse_args()
    found = audit(given.target, given.directory)
    if given.json:
        print(json.dumps(as_json(found), indent=1))
    else:
        print("\n".join(tree(found, every=given.every)))
        print(summary(found))
        if found.remark:
            print(found.remark)
    if given.html:
        write_page(given.html, found, given.directory)
        print(f"The audit as a page: {given.html}", file=sys.stderr)
    return 0 if found.is_fresh else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Problem as problem:
        sys.exit(f"audit: {problem}")
