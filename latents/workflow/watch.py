"""Progress of a running workflow, from its files: any machine that sees them can watch.

A workflow lists the jobs it is going to run (`runtime/job_list.py`). A job has begun when its log
is newer than the list, and is done when its first output has a record that is. Watching is cheap on
a shared file system: folders of logs are listed, and only files of jobs that have begun and are not
done are examined.
"""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from latents.runtime.job_list import Job, newest_list, read_list
from latents.runtime.progress import duration
from latents.runtime.record import read_record, record_path
from latents.runtime.sources import ROOT

PATIENCE = 120.0  # seconds without a sign of life, after which a job is taken for dead
SAMPLE = 20  # records of a rule that tell how long one of its jobs takes
TAIL = 2000  # bytes at the end of a log
SHOWN = 8  # jobs of a kind that get a line of their own
ROW = "{:28}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}"
RUNNING, FAILED, SILENT = "running", "failed", "silent"
STEPS = frozenset(script.stem for script in (ROOT / "scripts").glob("*.py"))
ERROR = re.compile(r"[\w.]*(Error|Exception|Interrupt)\b")
PROGRESS = re.compile(r": \w+ (?P<step>[\d,]+)/(?P<steps>[\d,]+) .* (?P<rate>[\d,.]+) \w+/s ")


@dataclass(frozen=True)
class Begun:
    """A job that has begun and is not done: its state, and the last line of its log."""

    job: Job
    state: str
    line: str

    @property
    def fraction(self) -> float:
        """Share of the job that is done, if its log says so."""
        found = PROGRESS.search(self.line)
        return _number(found["step"]) / _number(found["steps"]) if found else 0.0

    @property
    def seconds(self) -> float | None:
        """Duration of the whole job, if its log says so."""
        found = PROGRESS.search(self.line)
        return _number(found["steps"]) / max(_number(found["rate"]), 0.05) if found else None


class Watch:
    """State of the listed jobs; a job that is done is not examined again."""

    def __init__(self) -> None:
        listed = newest_list()
        jobs, self.since = read_list(listed), listed.stat().st_mtime
        self.jobs = Counter(job.rule for job in jobs)
        self.done: Counter[str] = Counter()
        self.seconds: dict[str, list[float]] = defaultdict(list)  # of some done jobs of a rule
        self._open: dict[Path, dict[str, Job]] = defaultdict(dict)
        for job in jobs:
            self._open[job.log.parent][job.log.name] = job

    def look(self, now: float) -> list[Begun]:
        """Return the jobs that have begun and are not done; count those that are done by now."""
        begun = []
        for folder, jobs in self._open.items():
            for name, written in _written_since(self.since, folder, jobs):
                if _written(record_path(jobs[name].output)) >= self.since:
                    self._count(jobs.pop(name))
                else:
                    begun.append(_judge(jobs[name], written, now))
        return begun

    def _count(self, job: Job) -> None:
        self.done[job.rule] += 1
        if len(self.seconds[job.rule]) < SAMPLE and (record := read_record(job.output)):
            self.seconds[job.rule].append(record["seconds"])


def _written_since(since: float, folder: Path, names: dict[str, Job]) -> list[tuple[str, float]]:
    """Return which of these files exist in a folder, and when they were written."""
    try:
        with os.scandir(folder) as entries:
            found = [(e.name, e.stat().st_mtime) for e in entries if e.name in names]
    except FileNotFoundError:
        return []
    return [(name, written) for name, written in found if written >= since]


def _written(path: Path) -> float:
    """Return when a file was written; 0 if it is missing."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _judge(job: Job, log_written: float, now: float) -> Begun:
    lease = _written(job.output.with_name(f".lease.{job.output.name}"))
    line = _last_line(job.log)
    if now - lease < PATIENCE:
        return Begun(job, RUNNING, line)
    if line.partition(": ")[0] in STEPS or ERROR.match(line):
        return Begun(job, FAILED, line)
    return Begun(job, RUNNING if now - log_written < PATIENCE else SILENT, line)


def _last_line(log: Path) -> str:
    try:
        with log.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL))
            lines = file.read().decode(errors="replace").splitlines()
    except FileNotFoundError:
        return ""
    return next((line for line in reversed(lines) if line.strip()), "")


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def seconds_left(watch: Watch, begun: list[Begun]) -> tuple[float | None, list[str]]:
    """Return the work left divided by the jobs that run, and the rules of unknown duration."""
    running = [seen for seen in begun if seen.state == RUNNING]
    told = defaultdict(list, {rule: list(times) for rule, times in watch.seconds.items()})
    for seen in running:
        if seen.seconds is not None and not watch.seconds[seen.job.rule]:
            told[seen.job.rule].append(seen.seconds)
    each = {rule: sum(times) / len(times) for rule, times in told.items() if times}
    left = watch.jobs - watch.done
    unknown = sorted(rule for rule in left if rule not in each)
    work = sum(each.get(rule, 0.0) * count for rule, count in left.items())
    work -= sum(each.get(seen.job.rule, 0.0) * seen.fraction for seen in running)
    return (work / len(running) if running and each else None), unknown


def describe(watch: Watch, begun: list[Begun], now: float) -> Iterator[str]:
    """Yield a table by rule, the pace, and the jobs that run or are in trouble."""
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
