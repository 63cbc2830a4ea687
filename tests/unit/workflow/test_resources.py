"""What jobs ask of a cluster."""

import yaml

from latents.workflow.resources import growing, training_minutes
from tests.conftest import ROOT


def scale(name: str) -> dict:
    return yaml.safe_load((ROOT / "config" / "scales" / f"{name}.yaml").read_text())


def test_a_request_grows_with_every_attempt():
    assert [growing(300)(None, attempt) for attempt in (1, 2, 3)] == [300, 600, 900]


def test_time_follows_the_budget_of_the_scale():
    asked = {name: training_minutes(scale(name), gpu=True) for name in ("smoke", "laptop", "paper")}
    assert asked["smoke"] <= asked["laptop"] < asked["paper"] < 24 * 60
    assert training_minutes(scale("paper"), gpu=False) > 5 * asked["paper"]
