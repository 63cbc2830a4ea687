"""Pack a figure and all that is known of how it was made into a Workflow Run RO-Crate."""

import os
from pathlib import Path

from latents.provenance.chain import read_chain, record_file
from latents.provenance.crate import build_crate, source_files, write_crate
from latents.runtime.identifier import carried
from latents.runtime.record import digest, read_record
from latents.runtime.sources import ROOT
from latents.runtime.step import Outcome, run


def export_crate(*, figure: list[Path], crate: Path, by_value: bool, key: str) -> Outcome:
    """Sources and records are no inputs, but a crate without their latest state is stale."""
    chain = read_chain(str(figure[0]), lambda path: read_record(Path(path)))
    sources = source_files()
    records = sorted(map(record_file, chain.jobs))
    also_read = [*(os.path.relpath(ROOT / name) for name in sources), *records]
    digests = {path: digest(Path(path)) for path in also_read}
    built = build_crate(chain, [str(path) for path in figure], sources, by_value=by_value)
    write_crate(built, crate, carried(key))
    return Outcome(also_read=digests)


if __name__ == "__main__":
    run(export_crate)
