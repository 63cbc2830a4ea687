"""Texts of a report about a figure: its caption, the paper's claims, and an audit.

They are read from the files while the report is made, so that they are true then.
"""

import csv
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from latents.provenance.audit import FRESH, Audit, audit_together
from latents.provenance.audit_text import causes, summary, totals
from latents.workflow.config_files import Row
from latents.workflow.settings import Settings

CLAIMS = "claims"  # the page of all claims is published like a figure
AUDITED = ("figure", "audit", "models", "seeds", "steps", "CPU h", "GPU h", "commit")


@dataclass(frozen=True)
class Built:
    """What is built of one scale, below the present folder."""

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
        """Audits of all pictures and findings at once, because one plan serves them all."""
        pictures = [self.picture(figure) for figure in self.figures]
        findings = [self.finding(claim) for claim in self.findings]
        return audit_together([str(path) for path in (*pictures, *findings)], Path())

    def caption(self, figure: str) -> list[str]:
        """Return what the figure shows, its scale and the paper's, and the finding."""
        return self.picture(figure).with_suffix(".txt").read_text().splitlines()

    def claims(self, figure: str) -> list[str]:
        """Return each claim of the paper about a figure, with its verdict."""
        wanted = claims_about(self.settings.figures[figure], self.settings.claims)
        return [self.verdict(claim) for claim in wanted]

    def tested_claims(self) -> list[str]:
        return [self.verdict(claim) for claim in self.findings]

    def verdict(self, claim: str) -> str:
        """Return `Figure 9b: the statement: HOLDS (why)`, or how to have it tested."""
        row = self.settings.claims[claim]
        said = f"{row['paper']}: {row['statement']}"
        if not self.finding(claim).exists():
            return f"{said}: not tested yet; make claims SCALE={self.results.name} does so"
        with self.finding(claim).open(newline="") as file:
            found = next(csv.DictReader(file))
        remarks = [found["reason"]]
        if found["expected"] == "False":
            remarks.append(f"expected from {row['expected_from']} scale on")
        if (state := self.audits[str(self.finding(claim))].state) != FRESH:
            remarks.append(state)
        return f"{said}: {found['verdict'].upper()} ({'; '.join(remarks)})"

    def audit(self, figure: str) -> list[str]:
        """Return what the figure depends on, and why it is not fresh if it is not."""
        found = self.audits[str(self.picture(figure))]
        return [line for line in (summary(found), *causes(found), found.remark) if line]

    def audit_rows(self) -> list[list[str]]:
        """Return one row per figure, in the columns of `AUDITED`."""
        return [[f, *_row(self.audits[str(self.picture(f))])] for f in self.figures]


def _row(audit: Audit) -> list[str]:
    of = totals(audit)
    counts = [f"{of[key]:,}" for key in ("models", "seeds", "steps")]
    hours = [f"{of[key]:.2f}" for key in ("cpu_hours", "gpu_hours")]
    commits = " ".join(commit[:7] for commit in of["commits"] if commit != "None")
    changed = "+" if of["uncommitted"] else ""
    return [audit.state, *counts, *hours, commits + changed]


def claims_about(figure: Row, claims: dict[str, Row]) -> list[str]:
    """Return the claims about models that a figure shows and about any panel of it.

    `Figure 9b` is about `Be More Active!, Figure 9`.
    """
    paper = figure.get("paper", "").lower()
    whole = {c: re.sub(r"(\d)[a-z]$", r"\1", row["paper"]).lower() for c, row in claims.items()}
    shown = [claim for claim, row in claims.items() if row["cell"] in figure["cells"]]
    return [claim for claim in shown if paper.endswith(whole[claim])]
