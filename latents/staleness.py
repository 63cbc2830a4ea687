"""Records instead of modification times: how Snakemake is told what is stale.

Imported by the rules only.
"""

from pathlib import Path
from typing import Any

from latents.record import canonical, read_record

NO_RECORD = "there is no record of how this was made"


def remember_by_records() -> None:
    """Let Snakemake look up how a file was made in the file's own record.

    Its rerun triggers (params, input, checksums against mtimes) then work unchanged, but survive
    the loss of `.snakemake/`, a copy to another clone, and any change of modification times.
    A file without a record counts as made by other means, so it is stale.
    """
    from snakemake.persistence import RECORD_FORMAT_VERSION, MetadataRecord, PersistenceBase

    def metadata(self: Any, target: Any) -> MetadataRecord | None:
        record = read_record(Path(str(target)))
        if record is None and not Path(str(target)).exists():
            return None
        inputs = record["inputs"] if record else {}
        job = canonical(record["job"]) if record else NO_RECORD
        return MetadataRecord(
            params=[repr(job)],
            input=sorted(inputs),
            input_checksums={path: f"sha256:{found}" for path, found in inputs.items()},
            record_format_version=RECORD_FORMAT_VERSION,
        )

    PersistenceBase.metadata = metadata
