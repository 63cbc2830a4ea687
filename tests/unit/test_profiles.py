"""A profile replaces profiles/default: it must repeat what staleness rests on."""

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


@pytest.mark.parametrize("name", ["slurm", "generic"])
def test_jobs_of_one_submission_take_turns(name):
    profile = read(name)
    assert profile["default-resources"]["turn"] == 1
    assert profile["resources"] == ["turn=1"]
    assert profile["set-resource-scopes"] == ["turn=local"]
