"""Pack a figure and all that is known of how it was made into a Workflow Run RO-Crate."""

import os
from pathlib import Path

from latents.chain import read_chain
from latents.crate import build_crate, source_files, write_crate
from latents.fingerprint import ROOT
from latents.identifier import carried
from latents.record import digest, read_record, record_path
from latents.step import ALSO_READ, run


def export_crate(*, figure: list[Path], crate: Path, by_value: bool, key: str) -> None:
    """Sources and records are no inputs, but a crate without their latest state is stale."""
    chain = read_chain(str(figure[0]), lambda path: read_record(Path(path)))
    sources = source_files()
    records = [record_path(Path(path)) for path, _ in sorted(chain.outputs())]
    for path in [*(Path(os.path.relpath(ROOT / name)) for name in sources), *records]:
        ALSO_READ[str(path)] = digest(path)
    built = build_crate(chain, [str(path) for path in figure], sources, by_value=by_value)
    write_crate(built, crate, carried(key))


if __name__ == "__main__":
    run(export_crate)
