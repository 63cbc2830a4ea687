"""Differences between a planned job and a recorded one, in words."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from latents.runtime.record import canonical

KINDS = {
    "datasets": "dataset",
    "metrics": "metric",
    "models": "network",
    "objectives": "objective",
    "plots": "plot",
    "priors": "prior",
}


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return what changed in code, values or command; nothing if they are equal."""
    said = [*code_changes(old["code"], new["code"]), *value_changes(old["values"], new["values"])]
    if old["command"] != new["command"]:
        said.append("the rule's command changed")
    return said


def code_changes(old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    for path in sorted(set(old) | set(new)):
        if old.get(path) != new.get(path):
            kind = KINDS.get(Path(path).parent.name, Path(path).parent.name.rstrip("s"))
            if path not in old or path not in new:
                yield f"{kind} {Path(path).stem} {'added' if path in new else 'dropped'}"
            else:
                yield f"{kind if kind != 'latent' else 'module'} {Path(path).stem} changed"


def value_changes(old: Any, new: Any, name: str = "") -> list[str]:
    """Return `steps 2000 → 3000` for every value that differs; long ones by name only."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = sorted(set(old) | set(new))
        return [said for key in keys for said in value_changes(old.get(key), new.get(key), key)]
    if old == new:
        return []
    if isinstance(old, list) and isinstance(new, list) and len(old) != len(new):
        return [f"{name}: {len(old)} → {len(new)}"]
    before, after = canonical(old), canonical(new)
    return [f"{name} {before} → {after}" if len(before + after) < 60 else f"{name} changed"]
