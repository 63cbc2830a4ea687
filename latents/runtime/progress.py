"""Progress of long work, one line at a time, for terminals and logs."""

import time

SECONDS_BETWEEN_LINES = 10


class Progress:
    """Prints step, loss terms, rate and time left, at most once in ten seconds."""

    def __init__(self, name: str, steps: int, first: int = 0, unit: str = "step") -> None:
        self.name = name
        self.steps = steps
        self.first = first
        self.unit = unit
        self.started = time.monotonic()
        self.shown = 0.0

    def show(self, done: int, /, **terms: float) -> None:
        """Show how far the work is; terms come one by one, so that nobody's table is at hand."""
        now = time.monotonic()
        if now - self.shown < SECONDS_BETWEEN_LINES and done < self.steps:
            return
        self.shown = now
        rate = (done - self.first) / max(now - self.started, 1e-9)
        losses = "  ".join(f"{name} {value:.4g}" for name, value in terms.items() if name != "step")
        left = duration((self.steps - done) / rate)
        print(
            f"{self.name}: {self.unit} {done:,}/{self.steps:,}  {losses}  "
            f"{rate:,.1f} {self.unit}s/s  {left} left",
            flush=True,
        )


def duration(seconds: float) -> str:
    """Return a duration in at most two units: `1 h 05 min`, `2 min 03 s`, `7 s`."""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
    if whole >= 60:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole} s"
