"""Rules and scripts: one script per rule, of the same name, and one method for its jobs' values."""

import re

from latents.workflow.job_values import JobValues
from tests.conftest import ROOT


def rules() -> dict[str, str]:
    """Text of each rule; one that is made from another (`use rule a as b`) is part of that one."""
    text = "\n".join(path.read_text() for path in (ROOT / "rules").glob("*.smk"))
    blocks = re.split(r"^rule (?=\w+:)", text, flags=re.MULTILINE)[1:]
    return {block.partition(":")[0]: block for block in blocks}


def test_scripts_are_the_rules():
    assert rules().keys() == {path.stem for path in (ROOT / "scripts").iterdir() if path.is_file()}


def test_every_rule_starts_its_script_with_its_values():
    for name, text in rules().items():
        assert f'script=SCRIPTS.script("{name}"),' in text
        assert f"job=JOBS.text(JOBS.{name})," in text
        assert callable(getattr(JobValues, name))
