"""Downloads that break are continued where they broke, or started over."""

import socket
from dataclasses import replace

import pytest

from latents.data.originals import obtain
from latents.runtime.atomic_files import partial_name
from tests.unit.data.official_site import (
    CONTENT,
    HALF,
    SHA256,
    assert_arrived,
    body,
    cut,
    hung_up,
    leave_partial,
    names,
    ranged,
    refusal,
    silent,
    sized,
    stalled,
    status,
    whole,
)


@pytest.mark.parametrize(
    "broken", [cut(HALF), stalled(HALF), body(CONTENT[:HALF])], ids=["cut", "stalled", "no length"]
)
@pytest.mark.usefixtures("impatient")
def test_a_broken_download_is_continued_where_it_broke(site, original, lines, broken):
    site.answers = [broken]
    obtain(original, lines.append)
    assert_arrived(original)
    assert site.ranges == [None, f"bytes={HALF}-"]
    assert "trying again" in lines[0]


@pytest.mark.parametrize("broken", [silent, hung_up])
@pytest.mark.usefixtures("impatient")
def test_a_server_that_says_nothing_is_asked_again(site, original, lines, broken):
    site.answers = [broken]
    obtain(original, lines.append)
    assert_arrived(original)
    assert site.ranges == [None, None]
    assert "trying again" in lines[0]


def test_a_site_that_takes_too_long_to_pick_up_is_asked_again(site, original, lines, monkeypatch):
    connect = socket.create_connection

    def first_try(*_: object) -> None:
        monkeypatch.setattr(socket, "create_connection", connect)
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", first_try)
    obtain(original, lines.append)
    assert_arrived(original)
    assert "fell silent" in lines[0]


def test_a_cut_is_noticed_where_nothing_is_known_but_what_the_server_promised(
    site, original, lines
):
    site.answers = [cut(HALF)]
    obtain(replace(original, size=None, digest=None), lines.append)
    assert_arrived(original)


@pytest.mark.usefixtures("impatient")
def test_a_server_that_stalls_for_good_is_given_up_and_the_next_run_goes_on(site, original, lines):
    site.answers = [stalled(HALF), silent, silent]
    sentence = refusal(original, lines)
    assert "fell silent" in sentence
    assert "kept for the next try" in sentence
    assert SHA256 in sentence
    assert len(lines) == 2
    assert len(site.visits) == 3
    assert names(original) == [".partial.shapes.h5"]
    obtain(original, lines.append)
    assert_arrived(original)
    assert site.ranges[-1] == f"bytes={HALF}-"


def test_a_server_that_ignores_the_range_sends_it_all_again(site, original, lines):
    leave_partial(original, b"x" * HALF)
    site.answers = [whole]
    obtain(original, lines.append)
    assert_arrived(original)
    assert site.ranges == [f"bytes={HALF}-"]


def test_a_range_that_cannot_be_satisfied_is_asked_for_as_a_whole(site, original, lines):
    leave_partial(original, b"x" * len(CONTENT) * 2)
    obtain(replace(original, size=None), lines.append)
    assert_arrived(original)
    assert site.ranges == ["bytes=600000-", None]


@pytest.mark.parametrize("told", ["bytes 7-299999/300000", "bytes 150000-299999/*", "nonsense"])
def test_a_part_that_was_not_asked_for_is_not_used(site, original, lines, told):
    leave_partial(original, CONTENT[:HALF])
    site.answers = [status(206, Content_Range=told)]
    obtain(original, lines.append)
    assert_arrived(original)
    assert site.ranges == [f"bytes={HALF}-", None]


def test_a_partial_download_longer_than_the_file_is_started_over(site, original, lines):
    leave_partial(original, b"x" * (len(CONTENT) + 1))
    obtain(original, lines.append)
    assert_arrived(original)
    assert site.ranges == [None]


def test_a_download_stopped_just_before_its_check_is_only_checked(site, original, lines):
    leave_partial(original, CONTENT)
    obtain(original, lines.append)
    assert_arrived(original)
    assert site.visits == []


def test_pieces_that_do_not_fit_are_fetched_once_more_in_one_piece(site, original, lines):
    leave_partial(original, b"x" * HALF)
    obtain(original, lines.append)
    assert_arrived(original)
    assert site.ranges == [f"bytes={HALF}-", None]
    assert any("starting over" in line for line in lines)


def test_starting_over_happens_once(site, original, lines):
    leave_partial(original, b"x" * HALF)
    site.answers = [ranged, sized(len(CONTENT), b"y" * HALF)]
    assert "expected" in refusal(original, lines)
    assert names(original) == []
    assert site.ranges == [f"bytes={HALF}-", None, f"bytes={HALF}-"]


def test_a_refusal_keeps_what_had_arrived(site, original, lines):
    leave_partial(original, CONTENT[:HALF])
    site.answers = [status(403)]
    assert "kept for the next try" in refusal(original, lines)
    assert partial_name(original.path).read_bytes() == CONTENT[:HALF]
