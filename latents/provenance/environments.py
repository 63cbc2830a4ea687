"""Which artefacts of a chain were made under other versions than the present ones."""

import platform
from collections.abc import Iterator
from typing import Any

from latents.provenance.audit import Audit
from latents.runtime.environment import other_versions

SHOWN = 3  # artefacts of a group, before the rest is only counted


def environment_lines(audit: Audit) -> Iterator[str]:
    """Yield a line for each difference of versions, with the artefacts that it concerns."""
    groups: dict[str, list[str]] = {}
    for node in audit.nodes.values():
        if node.record and (said := version_differences(node.record["environment"])):
            groups.setdefault("; ".join(said), []).append(node.path)
    for difference, paths in groups.items():
        more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
        yield f"made with {difference}: {', '.join(paths[:SHOWN])}{more}"
    if not groups:
        yield "every artefact was made with the versions that are installed here"


def version_differences(environment: dict[str, Any]) -> list[str]:
    """Return where Python and the packages that a job used differ from those of here."""
    here, then = platform.python_version(), environment["python"]
    return [
        *([f"python {then}, here {here}"] if here != then else []),
        *other_versions(environment),
    ]
