"""What a report says of a figure: its own caption, the paper's claims, and an audit.

Read from the files when the report is made, so that it is true then.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from latents.audit import FRESH, Audit, audit_together
from latents.audit_text import reason, summary, totals
from latents.config import Settings

CLAIMS = "claims"  # the page of all claims is published like a figure
AUDITED = ("figure", "audit", "models", "seeds", "steps", "CPU h", "GPU h", "commit")


@dataclass(frozen=True)
class Built:
    """What there is of one scale, below the present folder."""

    settings: Settings
    results: Path

    @property
    def figures(self) -> list[str]:
        return [f for f in (*self.settings.figures, CLAIMS) if self.picture(f).exists()]

    @property
    def findings(self) -> list[str]:
        return [claim for claim in self.settings.claims if self.finding(claim).exists()]

    def picture(self, figure: str) -> Path:
        return self.results / "figures" / f"{figure}.png"

    def finding(self, claim: str) -> Path:
        return self.results / "claims" / f"{claim}.csv"

    @cached_property
    def audits(self) -> dict[str, Audit]:
        """Of all pictures and findings at once, because one plan serves them all."""
        pictures = [self.picture(figure) for figure in self.figures]
        findings = [self.finding(claim) for claim in self.findings]
        return audit_together([str(path) for path in (*pictures, *findings)], Path())

    def caption(self, figure: str) -> list[str]:
        """What the figure shows, its scale and the paper's, and the finding."""
        return self.picture(figure).with_suffix(".txt").read_text().splitlines()

    def claims(self, figure: str) -> list[str]:
        """Each claim of the paper about a figure, with its verdict."""
        wanted = claims_about(self.settings.figures[figure]["paper"], self.settings.claims)
        return [self.verdict(claim) for claim in wanted]

    def tested_claims(self) -> list[str]:
        return [self.verdict(claim) for claim in self.findings]

    def verdict(self, claim: str) -> str:
        """`Figure 9b: the statement: HOLDS (why)`, or how to have it tested."""
        row = self.settings.claims[claim]
        said = f"{row['paper']}: {row['statement']}"
        if not self.finding(claim).exists():
            return f"{said}: not tested yet; make claims SCALE={self.results.name} does so"
        with self.finding(claim).open(newline="") as file:
            found = next(csv.DictReader(file))
        state = self.audits[str(self.finding(claim))].state
        small = f"expected from {row['expected_from']} scale on"
        remarks = [small] * (found["expected"] == "False") + [state] * (state != FRESH)
        return f"{said}: {found['verdict'].upper()} ({'; '.join([found['reason'], *remarks])})"

    def audit(self, figure: str) -> Iterator[str]:
        """What the figure rests on, and why it is not fresh if it is not."""
        found = self.audits[str(self.picture(figure))]
        yield summary(found)
        if found.state != FRESH:
            yield f"{found.state}: {reason(found.nodes[found.target])}"
        if found.remark:
            yield found.remark

    def audit_rows(self) -> list[list[str]]:
        """One row per figure, in the columns of `AUDITED`."""
        return [[f, *_row(self.audits[str(self.picture(f))])] for f in self.figures]


def _row(audit: Audit) -> list[str]:
    of = totals(audit)
    counts = [f"{of[key]:,}" for key in ("models", "seeds", "steps")]
    hours = [f"{of[key]:.2f}" for key in ("cpu_hours", "gpu_hours")]
    commits = " ".join(commit[:7] for commit in of["commits"])
    return [audit.state, *counts, *hours, commits + "+" * bool(of["uncommitted"])]


def claims_about(paper: str, claims: dict[str, dict[str, str]]) -> list[str]:
    """Claims about any panel of a figure: `Figure 9b` is about `Be More Active!, Figure 9`."""
    ends = {claim: re.sub(r"(\d)[a-z]$", r"\1", row["paper"]) for claim, row in claims.items()}
    return [claim for claim, end in ends.items() if paper.lower().endswith(end.lower())]
