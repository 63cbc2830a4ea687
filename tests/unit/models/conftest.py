"""Pictures for trainings of seconds."""

import pytest

from latents.data.batches import ImageSource
from tests.unit.models.small_training import bars


@pytest.fixture(scope="module")
def images() -> ImageSource:
    return bars()
