"""Keeps Snakemake's scheduler from wearing itself out on long runs.

Imported by the rules only.
"""

import threading
from typing import Any


def reevaluate_once_a_second() -> None:
    """Let at most one timer wait to wake the scheduler.

    Snakemake 9.27 starts a timer at every turn of its scheduling loop, whose end is another turn:
    each finished job adds a chain of turns that never ends. After a few hundred jobs the loop turns
    hundreds of times a second and takes a core for itself.
    """
    from snakemake.scheduling.job_scheduler import JobScheduler

    def schedule(self: Any, delay: float) -> None:
        if getattr(self, "reevaluation_waits", False):
            return
        self.reevaluation_waits = True

        def wake() -> None:
            self.reevaluation_waits = False
            self._open_jobs.release()

        timer = threading.Timer(delay, wake)
        timer.daemon = True  # nobody waits for it at the end
        timer.start()

    JobScheduler._schedule_reevalutation = schedule
