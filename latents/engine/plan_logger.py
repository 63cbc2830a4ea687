"""A logger for dry runs: every planned job as a line of JSON on standard output.

Nothing else is printed there; what goes wrong is said on standard error.
"""

import json
import logging
import sys

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent


class LogHandler(LogHandlerBase):
    """Prints rule, command and log of a job."""

    def emit(self, record: logging.LogRecord) -> None:
        if getattr(record, "event", None) == LogEvent.JOB_INFO:
            job = {key: getattr(record, key) for key in ("rule_name", "shellcmd", "log")}
            print(json.dumps(job))
        elif record.levelno >= logging.ERROR:
            print(record.getMessage(), file=sys.stderr)

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False
