"""How far a running workflow is, from the files it leaves: any machine that sees them can watch.

A workflow lists the jobs it is going to run (`latents/job_list.py`). A job has begun when it has a
log that is newer than the list, and is done when its first output has a record that is. Looking is
cheap on a shared file system: folders of logs are listed, and only jobs that have begun and are not
done yet have their files looked at.
"""

import os
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from latents.fingerprint import ROOT
from latents.job_list import Job, newest_list, read_list
from latents.record import read_record, record_path

PATIENCE = 120.0  # seconds without a sign of life, after which a job is taken for dead
SAMPLE = 20  # records of a rule that tell how long one of its jobs takes
TAIL = 2000  # bytes at the end of a log
RUNNING, FAILED, SILENT = "running", "failed", "silent"
STEPS = frozenset(script.stem for script in (ROOT / "scripts").glob("*.py"))
ERROR = re.compile(r"[\w.]*(Error|Exception|Interrupt)\b")
PROGRESS = re.compile(r": \w+ (?P<step>[\d,]+)/(?P<steps>[\d,]+) .* (?P<rate>[\d,.]+) \w+/s ")


@dataclass(frozen=True)
class Begun:
    """A job that has begun and is not done: its state, and its log's last line."""

    job: Job
    state: str
    line: str

    @property
    def fraction(self) -> float:
        """How much of it is done, where its log tells."""
        found = PROGRESS.search(self.line)
        return _number(found["step"]) / _number(found["steps"]) if found else 0.0

    @property
    def seconds(self) -> float | None:
        """How long all of it takes, where its log tells."""
        found = PROGRESS.search(self.line)
        return _number(found["steps"]) / max(_number(found["rate"]), 0.05) if found else None


class Watch:
    """What is known of the listed jobs; a job that was seen done is not looked at again."""

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
        """Jobs that are not done although they have begun; counts those that are done by now."""
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
    """Which of these files there are in a folder, and when they were written."""
    try:
        with os.scandir(folder) as entries:
            found = [(e.name, e.stat().st_mtime) for e in entries if e.name in names]
    except FileNotFoundError:
        return []
    return [(name, written) for name, written in found if written >= since]


def _written(path: Path) -> float:
    """0 for what is not there."""
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
    """Work left over jobs at once, and the rules of which nothing tells how long they take."""
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
