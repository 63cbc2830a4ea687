"""Small made-up repositories, read as this one is."""

from pathlib import Path

from latents.runtime import code_reach, code_units, fingerprint, neutral_code, sources

CACHED = (
    sources.syntax, sources.module_file, sources.import_closure, sources._imported_files,
    code_units.read_module, code_reach._own_bases, code_reach._ancestors, code_reach._method_table,
    code_reach._called_from_outside, neutral_code.neutral_units, fingerprint.fingerprint,
)  # fmt: skip


def forget_code() -> None:
    """Read all code again."""
    for reading in CACHED:
        reading.cache_clear()


def write(root: Path, files: dict[str, str]) -> None:
    """Write a repository, with a package file in every folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if name.startswith("latents/"):
            for folder in path.relative_to(root).parents[:-1]:
                (root / folder / "__init__.py").touch()
    forget_code()
