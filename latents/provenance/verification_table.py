"""The result of a verification, as a table."""

from collections import Counter
from collections.abc import Iterator

from latents.provenance.comparison import DIVERGES, IDENTICAL, WITHIN
from latents.provenance.verification import Compared

VERDICTS = (IDENTICAL, WITHIN, DIVERGES)


def table(found: list[Compared]) -> Iterator[str]:
    """Yield a line per step: how many artefacts have which verdict."""
    counts = Counter((one.step, one.agreement.verdict) for one in found)
    yield f"\n{'step':<24}{'artefacts':>10}" + "".join(f"{verdict:>18}" for verdict in VERDICTS)
    for step in dict.fromkeys(one.step for one in found):
        numbers = [counts[step, verdict] for verdict in VERDICTS]
        yield f"{step:<24}{sum(numbers):>10}" + "".join(f"{number:>18}" for number in numbers)


def first_diverging(found: list[Compared]) -> Compared | None:
    """Return the artefact at which a chain begins to come out differently, if any does."""
    return next((one for one in found if one.agreement.verdict == DIVERGES), None)
