"""The workflow beside other people's rules: as a module of theirs, and with one of theirs added."""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.workflow.clones import SMALL, Clone

NOTHING = Counter()
CONFIG = {"scale": "smoke", "seeds": 1, "steps": 40}
HOST = """
module latents:
    snakefile: {snakefile!r}
    config: {config}
    {prefix}


use rule * from latents {names}


rule count_words:
    input:
        "words.txt",
    output:
        "count.txt",
    params:
        command="wc -w",
    shell:
        "{{params.command}} < {{input}} > {{output}}"


rule weigh_figure:
    default_target: True
    input:
        figure="{place}figures/fig9.pdf",
        words="count.txt",
    output:
        "weight.txt",
    shell:
        "wc -c < {{input.figure}} > {{output}}; cat {{input.words}} >> {{output}}"
"""
VARIANTS = {
    "plain": {"prefix": "", "names": "", "place": ""},
    "renamed": {"prefix": "", "names": "as latents_*", "place": ""},
    "in a folder": {"prefix": 'prefix: "vae"', "names": "", "place": "vae/"},
}


@dataclass(frozen=True)
class Host:
    """Somebody's workflow in a folder of its own, without any profile of ours."""

    folder: Path
    place: str  # of our results in it

    def snakemake(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "snakemake", *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout + done.stderr

    def plan(self) -> Counter:
        said = self.snakemake("--dry-run")
        return Counter(re.findall(r"^(?:local)?rule (\w+):", said, flags=re.MULTILINE))


@pytest.fixture(scope="module", params=VARIANTS)
def built_host(request, built: Clone, tmp_path_factory) -> Host:
    """A host that has built its default target; not to be changed.

    Where our results keep their names, it starts from those that are built, without the figures.
    """
    variant = VARIANTS[request.param]
    host = Host(tmp_path_factory.mktemp("host"), variant["place"])
    snakefile = HOST.format(snakefile=str(built.folder / "Snakefile"), config=CONFIG, **variant)
    (host.folder / "Snakefile").write_text(snakefile)
    (host.folder / "words.txt").write_text("one two three\n")
    if not host.place:
        shutil.copytree(built.folder / "results", host.folder / "results")
        shutil.rmtree(host.folder / "results/smoke/figures")
    host.snakemake("--cores", "2")
    return host


@pytest.fixture
def host(built_host: Host, tmp_path: Path) -> Host:
    shutil.copytree(built_host.folder, tmp_path / "host")
    return Host(tmp_path / "host", built_host.place)


def test_a_host_builds_a_figure_in_its_folder_and_then_nothing(host, built):
    assert (host.folder / "weight.txt").read_text().split()[1] == "3"
    made = (host.folder / host.place / "figures/fig9.csv").read_bytes()
    assert made == (built.folder / "figures/fig9.csv").read_bytes()
    assert not (host.folder / "config").exists()
    assert host.plan() == NOTHING


def test_its_own_rules_go_stale_by_snakemakes_rules_and_ours_do_not(host):
    (host.folder / "words.txt").write_text("one two\n")
    assert host.plan() == Counter(count_words=1, weigh_figure=1)
    host.snakemake("--cores", "1")
    assert (host.folder / "weight.txt").read_text().split()[1] == "2"
    assert host.plan() == NOTHING
    snakefile = host.folder / "Snakefile"
    snakefile.write_text(snakefile.read_text().replace("wc -w", "wc -m"))
    assert host.plan() == Counter(count_words=1, weigh_figure=1), "a parameter"
    (host.folder / host.place / "figures/fig9.pdf").touch()
    assert not [rule for rule in host.plan() if rule not in ("count_words", "weigh_figure")]


def test_nothing_of_our_jobs_reaches_its_jobs(host):
    """Variables of ours are those of our own commands; a host's jobs get its environment."""
    snakefile = host.folder / "Snakefile"
    snakefile.write_text(snakefile.read_text().replace("wc -w", "(env; cat)"))
    host.snakemake("count.txt", "--cores", "1")
    variables = (host.folder / "count.txt").read_text().splitlines()
    assert "one two three" in variables
    assert any(line.startswith("PATH=") for line in variables)
    assert not [line for line in variables if line.startswith("MALLOC_")]
    assert not [line for line in variables if line.startswith("PYTHONPATH=") and "project" in line]


def test_a_host_keeps_its_default_target(built, tmp_path):
    mine = (
        'rule mine:\n    output:\n        "mine.txt",\n    shell:\n        "echo > {output}"\n\n\n'
    )
    theirs = HOST.partition("rule count_words")[0]
    text = theirs.format(
        snakefile=str(built.folder / "Snakefile"), config=CONFIG, **VARIANTS["renamed"]
    )
    (tmp_path / "Snakefile").write_text(mine + text)
    assert Host(tmp_path, "").plan() == Counter(mine=1)


def test_an_ordinary_rule_in_our_snakefile_is_judged_by_snakemake(clone):
    """It needs neither a log nor a job's values."""
    with (clone.folder / "Snakefile").open("a") as file:
        file.write(
            "\n\nrule count_words:\n"
            '    input:\n        "words.txt",\n    output:\n        "count.txt",\n'
            '    params:\n        command="wc -w",\n'
            '    shell:\n        "{params.command} < {input} > {output}"\n'
        )
    (clone.folder / "words.txt").write_text("one two three\n")
    targets = ("count.txt", "figures/fig9.pdf")
    assert clone.plan(targets=targets) == Counter(count_words=1)
    clone.build(targets=targets)
    assert (clone.folder / "count.txt").read_text().strip() == "3"
    assert clone.plan(targets=targets) == NOTHING
    clone.edit("Snakefile", "wc -w", "wc -m")
    assert clone.plan(targets=targets) == Counter(count_words=1), "a parameter"
    clone.build(targets=targets)
    (clone.folder / "words.txt").write_text("one\n")
    assert clone.plan(targets=targets) == Counter(count_words=1), "an input"


def test_rules_are_clean_by_snakemakes_own_lint(clone):
    done = clone.snakemake("--lint", "json", "--config", *SMALL)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout or "{}")
    assert not said.get("rules"), said
    assert not said.get("snakefiles"), said
