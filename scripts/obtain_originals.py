"""Fetch a dataset's files from its makers where they are missing, and verify them in any case."""

import json
from pathlib import Path
from typing import Any

from latents.originals import Original, obtain
from latents.problem import Problem
from latents.step import ALSO_READ, run


def obtain_originals(*, receipt: Path, originals: list[dict[str, Any]]) -> None:
    """Write which files were found to be what; nothing uses a file before that."""
    if not originals:
        raise Problem("the dataset is set to its twin: there is nothing to verify")
    found = {}
    for row in originals:
        path = Path(row["path"])
        original = Original(path, row.get("url"), row.get("digest"), row.get("bytes"))
        told = obtain(original, lambda line: print(line, flush=True))
        ALSO_READ[str(path)] = str(told["sha256"])
        found[row["file"]] = {key: told[key] for key in ("bytes", "sha256", "check")}
    receipt.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    run(obtain_originals)
