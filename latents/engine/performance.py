"""What keeps Snakemake's planning of thousands of jobs within seconds; see benchmarks/README.md."""

import gc


def collect_garbage_less_often() -> None:
    """Let a plan grow: most of what Python's collector would walk is in use."""
    gc.set_threshold(100_000, 50, 100)
