"""Profiles for clusters and GPUs: each replaces profiles/default."""

import re

import pytest
import yaml

from tests.conftest import ROOT

PROFILES = sorted(path.name for path in (ROOT / "profiles").iterdir())


def read(name: str) -> dict:
    return yaml.safe_load((ROOT / "profiles" / name / "config.yaml").read_text())


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_repeats_the_default_one(name):
    assert read(name).items() >= read("default").items()


@pytest.mark.parametrize("name", ["slurm", "generic"])
def test_a_failed_submission_keeps_what_its_members_made_and_is_tried_again(name):
    profile = read(name)
    assert profile["keep-incomplete"]
    assert profile["retries"] > 0


def rules_and_local_ones() -> tuple[set[str], set[str]]:
    """Return the names of all rules, and of those that run where Snakemake runs."""
    text = "\n".join(path.read_text() for path in (ROOT / "rules").glob("*.smk"))
    blocks = re.split(r"^(?=(?:use )?rule )", text, flags=re.M)[1:]
    named = [re.match(r"(?:use rule (\w+) as|rule) (\w+)", block).groups() for block in blocks]
    local = {n for (_, n), b in zip(named, blocks, strict=True) if "localrule: True" in b}
    return {name for _, name in named}, local | {name for base, name in named if base in local}


def test_every_rule_of_a_cluster_is_grouped_or_local():
    rules, local = rules_and_local_ones()
    alone = {"prepare_dataset", "diagnose_representation"}
    grouped = {entry.partition("=")[0] for entry in read("slurm")["groups"]}
    assert rules == local | alone | grouped
    assert not local & grouped
    assert read("generic")["groups"] == read("slurm")["groups"]


@pytest.mark.parametrize("name", ["slurm", "generic"])
def test_jobs_of_one_submission_take_turns(name):
    profile = read(name)
    assert profile["default-resources"]["turn"] == 1
    assert profile["resources"] == ["turn=1"]
    assert profile["set-resource-scopes"] == ["turn=local"]
