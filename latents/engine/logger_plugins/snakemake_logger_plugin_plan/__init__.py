"""Snakemake finds a logger by the name of its package: `--logger plan`."""

from latents.engine.plan_logger import LogHandler

__all__ = ["LogHandler"]
