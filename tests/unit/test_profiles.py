"""A profile replaces profiles/default: it must repeat what staleness rests on."""

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


def test_every_rule_of_a_cluster_rides_in_a_submission_or_runs_at_home():
    text = "".join(path.read_text() for path in (ROOT / "rules").glob("*.smk"))
    found = {
        *re.findall(r"^rule (\w+):", text, re.M),
        *re.findall(r"^use rule .* as (\w+)", text, re.M),
    }
    snakefile = (ROOT / "Snakefile").read_text()
    at_home = set(re.findall(r"^    (\w+),$", snakefile.partition("localrules:")[2], re.M))
    alone = {"prepare_dataset", "report_representation"}
    grouped = {entry.partition("=")[0] for entry in read("slurm")["groups"]}
    assert found == (at_home - {"all"}) | alone | grouped
    assert read("generic")["groups"] == read("slurm")["groups"]


@pytest.mark.parametrize("name", ["slurm", "generic"])
def test_jobs_of_one_submission_take_turns(name):
    profile = read(name)
    assert profile["default-resources"]["turn"] == 1
    assert profile["resources"] == ["turn=1"]
    assert profile["set-resource-scopes"] == ["turn=local"]
