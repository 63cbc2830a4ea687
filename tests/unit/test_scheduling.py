"""Snakemake's scheduler is woken by one timer at a time, and is woken."""

import threading

from snakemake.scheduling.job_scheduler import JobScheduler

from latents.scheduling import reevaluate_once_a_second


def test_many_turns_of_the_loop_wait_for_one_timer(monkeypatch):
    assert hasattr(JobScheduler, "_schedule_reevalutation"), "Snakemake changed: see scheduling.py"
    monkeypatch.setattr(JobScheduler, "_schedule_reevalutation", None)
    reevaluate_once_a_second()
    scheduler = object.__new__(JobScheduler)
    scheduler._open_jobs = threading.Semaphore(0)
    before = threading.active_count()
    for _ in range(50):
        scheduler._schedule_reevalutation(0.05)
    assert threading.active_count() == before + 1
    assert scheduler._open_jobs.acquire(timeout=10)
    assert not scheduler._open_jobs.acquire(timeout=0.2), "woken once only"
    scheduler._schedule_reevalutation(0.01)
    assert scheduler._open_jobs.acquire(timeout=10), "and again when asked again"
