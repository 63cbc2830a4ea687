"""Keeps Snakemake's planning of thousands of jobs within seconds.

Imported by the rules only. What it saves is in benchmarks/README.md.
"""

import gc
from functools import cache


def plan_fast() -> None:
    """Look for garbage less often, and ask every input function for its parameters only once.

    A plan only grows, so that most of what Python's collector walks is in use. Snakemake asks for
    the parameters of a rule's functions anew for every job.
    """
    from snakemake import common, rules

    gc.set_threshold(100_000, 50, 100)
    parameters = cache(common.get_function_params)
    for module in (common, rules):
        module.get_function_params = parameters
