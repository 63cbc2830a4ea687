"""Differences between a recorded job and a planned one, in words."""

from collections.abc import Iterator
from typing import Any

from latents.runtime.command_line import Step
from latents.runtime.fingerprint import Units, fingerprint
from latents.runtime.record import canonical

EARLIER = "an earlier version of this workflow recorded it"
REBOUND = "names in its code stand for other code"
OTHER_FILES = "its input files are others, or in another order"


def differences(record: dict[str, Any], planned: Step) -> list[str]:
    """Return what changed in code, values, command or environment; nothing if they are equal."""
    old, new = record["job"], planned.job
    if old == new:
        return []
    said = [*code_changes(record, new["code"], new["modules"])]
    said += value_changes(old["values"], new["values"])
    if old["command"] != new["command"]:
        said.append("the rule's command changed")
    said += value_changes(old.get("variables"), new.get("variables"), "variables")
    return said or [OTHER_FILES]


def code_changes(record: dict[str, Any], digest: str, modules: list[str]) -> list[str]:
    """Return `FILE: UNIT changed` for the units of a job that are no longer what they were."""
    if "units" not in record:
        return [EARLIER]
    if record["job"]["code"] == digest:
        return []
    return [*unit_changes(record["units"], fingerprint(record["step"], tuple(modules)).units)] or [
        REBOUND
    ]


def unit_changes(old: Units, new: Units) -> Iterator[str]:
    """Yield what happened to each unit; one that only moved to another file is none of them."""
    before, after = _by_address(old), _by_address(new)
    moved = {_content(key, before) for key in before.keys() - after.keys()} & {
        _content(key, after) for key in after.keys() - before.keys()
    }
    for key in sorted(before.keys() | after.keys()):
        known, found = before.get(key), after.get(key)
        if known == found or _content(key, before if key in before else after) in moved:
            continue
        happened = "changed" if known and found else "added" if found else "dropped"
        yield f"{key[0]}: {key[1]} {happened}"


def is_of_code(words: str) -> bool:
    """Return whether a difference is one of a unit of code."""
    return ".py: " in words or words == REBOUND


def _by_address(units: Units) -> dict[tuple[str, str], str]:
    return {(path, name): found for path, names in units.items() for name, found in names.items()}


def _content(key: tuple[str, str], units: dict[tuple[str, str], str]) -> tuple[str, str]:
    return key[1], units[key]


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
