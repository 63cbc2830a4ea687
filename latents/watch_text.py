"""A look at a running workflow, as text."""

from collections import Counter
from collections.abc import Iterator

from latents.progress import duration
from latents.watch import FAILED, RUNNING, SILENT, Begun, Watch, seconds_left

SHOWN = 8  # jobs of a kind that get a line of their own
ROW = "{:28}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}"


def describe(watch: Watch, begun: list[Begun], now: float) -> Iterator[str]:
    """A table by rule, the pace, and the jobs that run or are in trouble."""
    states = Counter((seen.job.rule, seen.state) for seen in begun)
    yield ROW.format("", "jobs", "done", "running", "failed", "silent", "waiting")
    for rule in watch.jobs:
        counts = [states[rule, state] for state in (RUNNING, FAILED, SILENT)]
        yield _row(rule, watch.jobs[rule], watch.done[rule], counts)
    counts = [sum(seen.state == state for seen in begun) for state in (RUNNING, FAILED, SILENT)]
    yield _row("together", watch.jobs.total(), watch.done.total(), counts)
    yield _pace(watch, begun, now)
    for state in (FAILED, SILENT, RUNNING):
        yield from _lines(state, [seen for seen in begun if seen.state == state])


def _row(name: str, jobs: int, done: int, counts: list[int]) -> str:
    return ROW.format(name, *(f"{n:,}" for n in (jobs, done, *counts, jobs - done - sum(counts))))


def _pace(watch: Watch, begun: list[Begun], now: float) -> str:
    done, elapsed = watch.done.total(), max(now - watch.since, 1.0)
    said = f"{done:,} done in {duration(elapsed)}, {3600 * done / elapsed:,.1f} an hour"
    if done == watch.jobs.total():
        return f"{said}; all done"
    left, unknown = seconds_left(watch, begun)
    if left is None:
        return f"{said}; nothing tells yet how long the rest takes"
    running = sum(seen.state == RUNNING for seen in begun)
    without = f", without {', '.join(unknown)}" if unknown else ""
    return f"{said}; about {duration(left)} left at {running} at once{without}"


def _lines(state: str, members: list[Begun]) -> Iterator[str]:
    for seen in members[:SHOWN]:
        yield f"{state:8} {seen.line or seen.job.output}"
        if state != RUNNING:
            yield f"{'':8}   {seen.job.log}"
    if len(members) > SHOWN:
        yield f"{'':8} and {len(members) - SHOWN:,} more {state}"
