"""Fetch a dataset's files from its makers where they are missing, and verify them in any case."""

import json
from pathlib import Path
from typing import Any

from latents.originals import Original, obtain
from latents.step import run


def obtain_originals(*, receipt: Path, originals: list[dict[str, Any]], folder: str) -> None:
    """Write which files were found to be what; nothing uses a file before that."""
    found = {
        row["file"]: obtain(
            Original(
                path=Path(folder) / row["file"],
                url=row.get("url"),
                digest=row.get("digest"),
                size=row.get("bytes"),
            ),
            lambda line: print(line, flush=True),
        )
        for row in originals
    }
    receipt.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    run(obtain_originals)
